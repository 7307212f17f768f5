import { type EventOf, NoteCommandDone } from '@voxscribe/contracts/events'
import { CHAT_SHARE_DAYS, SEARCH_MAX } from '@voxscribe/contracts/limits'
import { textInParagraphs } from '@voxscribe/contracts/paragraphs'
import { reason } from '@voxscribe/contracts/reasons'
import { english } from '@voxscribe/languages'
import { Later } from '@voxscribe/messaging'
import { type Documents, insertOnce, Problem, schemaOf } from '@voxscribe/service'
import { z } from 'zod'
import type { Attempt } from './note/life.ts'
import { titleOf } from './note/listing.ts'
import { type NoteRecord, segmentsOf } from './note/record.ts'
import type { Mine } from './note/store.ts'
import { inLanguage } from './page/export.ts'
import type { Rules } from './rules.ts'

/** A command of the chat: it is about the note that it found when it came first, however often it comes. */
const CommandRecord = z.object({
  /** The event's id. */
  _id: z.string(),
  /** The note, with its attempt at that time; null: there was no such note. */
  about: z.custom<Attempt>().nullable(),
  isDone: z.boolean(),
  at: z.date(),
})
type CommandRecord = z.infer<typeof CommandRecord>

/** Longer than an event is retried. */
const KEPT_SECONDS = 60 * 86_400
const commandSchema = schemaOf(CommandRecord).index({ at: 1 }, { expireAfterSeconds: KEPT_SECONDS })

/** How long a command waits for its note, which may still be downloaded. */
const NOTE_COMES_MS = 60_000
/** Hits in the answer to a search. */
const HITS = 3

interface Deps extends Rules {
  documents: Documents
  now(): Date
}

type Received = EventOf<'NoteCommandReceived'>
type Answer = Pick<EventOf<'NoteCommandDone'>['data'], 'outcome' | 'transcriptionId'>
type Refusal = Extract<Answer['outcome'], { kind: 'refused' }>['why']

const refused = (why: Refusal, transcriptionId?: string): Answer => ({
  outcome: { kind: 'refused', why },
  transcriptionId,
})

/** Why there is no gist or translation, by the code of the problem; else the model gave no answer. */
const WHY_NOT_MADE: Record<string, Refusal> = {
  rate_limited: 'text_too_often',
  text_day_is_full: 'text_day_is_full',
  text_budget_spent: 'text_budget_spent',
  same_language: 'same_language',
  transcript_too_long: 'transcript_too_long',
  already_processing: 'running',
}

/** A number that is only claimed reaches the notes of its own chat. */
const mineOf = ({ userId, source }: Received['data']): Mine =>
  source.claimed ? { userId, 'source.channel': source.channel, 'source.address': source.address } : { userId }

/** Does what people ask for in the chat, by the rules of page and API: each command once, with one outcome. */
export function createOnNoteCommand(deps: Deps): (event: Received) => Promise<void> {
  const { documents, notes, history, refresh, deletion, exportNote, sharing, gists, translations, now } = deps
  const commands = documents.outboxModel('commands', commandSchema)

  async function noteOf({ data, occurredAt }: Received): Promise<Attempt | null> {
    const { command, noteId, quoted } = data
    if (command.name === 'find') return null
    if (!noteId || (await notes.byId(noteId))) return notes.about({ noteId, quoted }, mineOf(data))
    if (now().getTime() - Date.parse(occurredAt) < NOTE_COMES_MS)
      throw new Later('The note of this command is still on its way')
    return { _id: noteId, attempt: 1 }
  }

  async function recordOf(event: Received): Promise<CommandRecord> {
    const { id: _id } = event
    const known = await commands.findById(_id).lean()
    if (known) return known
    const record = { _id, about: await noteOf(event), isDone: false, at: now(), outbox: [] }
    // Another delivery may have been quicker.
    return (await insertOnce(commands, record)) ? record : recordOf(event)
  }

  /** Null when the answer is the note's next outcome. */
  async function answerTo(event: Received, about: Attempt | null): Promise<Answer | null> {
    const { userId, command, quoted, noteId, source } = event.data
    if (command.name === 'find') return search(event.data, command.words)
    if (!about) return refused(quoted === undefined && !noteId ? 'no_note' : 'unknown_note')
    const { _id } = about
    const note = await notes.byId(_id)
    if (!note) return refused('running')
    if (command.name === 'delete') {
      const deleted = await deletion(_id, userId)
      // It is gone already when a process died after deleting it.
      const title = deleted && titleOf(deleted.note)
      return { outcome: { kind: 'deleted', title, isCharged: deleted?.isCharged ?? false } }
    }
    if (note.userId !== userId) return refused('unknown_note')
    if (command.name !== 'again') {
      if (note.status === 'failed')
        return { outcome: { kind: 'failed', reason: note.error ?? reason('transcription_failed') } }
      if (note.status === 'completed' && !note.text) return refused('no_speech', _id)
    }
    if (command.name === 'share') {
      const { url, expiresAt } = await sharing.begin(_id, userId, CHAT_SHARE_DAYS, false)
      return {
        outcome: { kind: 'shared', title: titleOf(note), url, expiresAt },
        transcriptionId: _id,
      }
    }
    if (command.name === 'export') {
      const { name, content } = await exportNote(_id, userId, {
        format: command.format,
        withTimes: false,
        i18n: english,
      })
      const file = { title: titleOf(note), name, content: Buffer.from(content).toString('base64') }
      return { outcome: { kind: 'file', ...file }, transcriptionId: _id }
    }
    if (command.name === 'summary' || command.name === 'translate') return made(event, note)
    if (note.asked?.eventId === event.id) return null
    // It was transcribed again after a process died over this command.
    if (note.attempt !== about.attempt) return refused('running', _id)
    const asked = { eventId: event.id, source }
    await refresh(note, { language: command.language, askedEngine: null, asked })
    return null
  }

  /** The gist or translation of a note. */
  async function made({ data: { command, uiLanguage = 'en' } }: Received, note: NoteRecord): Promise<Answer> {
    const { _id: transcriptionId } = note
    if (command.name === 'translate') {
      const { language } = command
      const done = inLanguage(await translations(note, language), language)
      if (!done) return refused('no_answer', transcriptionId)
      const text = textInParagraphs(segmentsOf(done), language, done.text)
      return { outcome: { kind: 'translation', title: titleOf(note), language, text }, transcriptionId }
    }
    const { gist } = await gists(note, uiLanguage)
    if (!gist) return refused('no_answer', transcriptionId)
    const { lines, tasks } = gist
    return { outcome: { kind: 'gist', title: titleOf(note), lines, tasks }, transcriptionId }
  }

  async function search(data: Received['data'], words: string): Promise<Answer> {
    if (!words) return refused('no_words')
    if (words.length > SEARCH_MAX) return refused('too_many_words')
    const found = await history.newest(mineOf(data), words, HITS)
    const hits = found.map(note => ({ title: titleOf(note), createdAt: note.createdAt.toISOString() }))
    return {
      outcome: { kind: 'found', words, notes: hits },
      transcriptionId: found.length === 1 ? found[0]?._id : undefined,
    }
  }

  /** Returns the answer for what the rules refuse; throws any other error. */
  function refusalOf(error: unknown, { command }: Received['data'], about: Attempt | null): Answer {
    if (!(error instanceof Problem)) throw error
    const { kind, errors, retryAfterSeconds = 1 } = error
    const code = errors?.[0]?.code ?? error.code
    if (code === 'text_under_way') throw new Later('Something else is being made of this note')
    if (command.name === 'summary' || command.name === 'translate')
      return refused(WHY_NOT_MADE[code] ?? 'no_answer', about?._id)
    if (kind === 'conflict') return refused('running', about?._id)
    if (kind === 'gone') return refused('no_audio', about?._id)
    if (kind === 'not_found') return refused('unknown_note')
    if (kind !== 'rate_limited') throw error
    if (command.name === 'export') throw new Later('Another export of this person is still running')
    return { outcome: { kind: 'too_often', retryAfterSeconds }, transcriptionId: about?._id }
  }

  return async event => {
    const { about, isDone } = await recordOf(event)
    if (isDone) return
    const { userId, source } = event.data
    const answer = await answerTo(event, about).catch(error => refusalOf(error, event.data, about))
    const done = answer && NoteCommandDone.causedBy(event, { userId, source, ...answer })
    await commands.updateOne(
      { _id: event.id, isDone: false },
      { $set: { isDone: true }, ...(done && { $push: { outbox: done } }) },
    )
  }
}

import { type EventOf, NoteCommandDone } from '@voxscribe/contracts/events'
import { CHAT_SHARE_DAYS, SEARCH_MAX, TAGS_MAX } from '@voxscribe/contracts/limits'
import { textInParagraphs } from '@voxscribe/contracts/paragraphs'
import { DOUBTFUL, reason } from '@voxscribe/contracts/reasons'
import { foundIn } from '@voxscribe/contracts/search-words'
import { distinctTags } from '@voxscribe/contracts/tags'
import { i18nFor } from '@voxscribe/languages/node'
import { Later } from '@voxscribe/messaging'
import { createOnce, type Documents, type Lease, Problem, schemaOf } from '@voxscribe/service'
import { z } from 'zod'
import { inLanguage } from '../export/export.ts'
import type { Attempt } from '../note/life.ts'
import { languageOf, titleOf } from '../note/listing.ts'
import { type Mine, type NoteRecord, segmentsOf } from '../note/record.ts'
import { edit } from './edit.ts'
import type { Rules } from './note-calls.ts'

/** A command of the chat: it is about the note that it found when it came first, however often it comes. */
const CommandRecord = z.object({
  /** The event's id. */
  _id: z.string(),
  /** The note, with its attempt at that time; null: there was no such note. */
  about: z.custom<Attempt>().nullable(),
  isDone: z.boolean(),
  /** The process that is doing it. */
  lease: z.custom<Lease>().nullable(),
  at: z.date(),
  /** The chat, and the notes that it was told, of a search. */
  chat: z.string().optional(),
  hits: z.array(z.string()).optional(),
})

/** Longer than an event is retried. */
const KEPT_SECONDS = 60 * 86_400
const commandSchema = schemaOf(CommandRecord)
  .index({ at: 1 }, { expireAfterSeconds: KEPT_SECONDS })
  .index({ chat: 1, at: -1 }, { sparse: true })

/** How long a command waits for its note, which may still be downloaded. */
const NOTE_COMES_MS = 60_000
/** How long a number opens one of the notes that were found. */
const HITS_OPEN_MS = 3_600_000
/** Hits in the answer to a search. */
const HITS = 3

interface Deps extends Rules {
  documents: Documents
  lastsMs: number
  now(): Date
}

type Received = EventOf<'NoteCommandReceived'>
type Answer = Pick<EventOf<'NoteCommandDone'>['data'], 'outcome' | 'transcriptionId'> & { hits?: string[] }
type Refusal = Extract<Answer['outcome'], { kind: 'refused' }>['why']

/** The reply has nothing to do with a text that is there. */
const NO_OFFER: Answer = { outcome: { kind: 'offer' } }

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

const isAboutAll = ({ name }: Received['data']['command']) => ['find', 'latest'].includes(name)

const found = (words: string, notes: NoteRecord[]): Answer => ({
  outcome: {
    kind: 'found',
    words,
    notes: notes.map(note => ({
      title: titleOf(note),
      createdAt: note.createdAt.toISOString(),
      line: lineOf(note.text ?? '', words),
    })),
  },
  transcriptionId: notes.length === 1 ? notes[0]?._id : undefined,
  hits: notes.map(({ _id }) => _id),
})

const chatOf = ({ userId, source }: Received['data']) => `${userId} ${source.channel} ${source.address}`

/** Letters of the line round the words that were found. */
const BEFORE_MAX = 30
const LINE_MAX = 90
/** Letters in which the line is looked for. */
const LOOKED_MAX = 50_000

/** Returns the words of a text round the first one that is searched for; empty when it is not in the text. */
function lineOf(text: string, words: string): string {
  const [first] = words ? foundIn(text.slice(0, LOOKED_MAX), words) : []
  if (!first) return ''
  const from = Math.max(
    text.lastIndexOf(' ', Math.max(0, first.from - BEFORE_MAX)) + 1,
    first.from - LINE_MAX,
  )
  const rest = text.slice(Math.max(0, from), from + LINE_MAX).replace(/\s+/g, ' ')
  const line = from + LINE_MAX < text.length ? rest.replace(/ \S*$/, '') : rest
  const [begun, left] = [from > 0 ? '… ' : '', from + LINE_MAX < text.length ? ' …' : '']
  return `${begun}${line.trim()}${left}`.toWellFormed()
}

/** Does what people ask for in the chat, by the rules of page and API: each command once, with one outcome. */
export function createOnNoteCommand(deps: Deps): (event: Received) => Promise<void> {
  const { documents, notes, history, refresh, deletion, exportNote, sharing, gists, translations, now } = deps
  const commands = documents.outboxModel('commands', commandSchema, {
    owner: null,
    because: 'ids of messages and notes only',
  })
  const once = createOnce(commands, { isDone: false }, deps.lastsMs)

  async function noteOf({ data, occurredAt }: Received): Promise<Attempt | null> {
    const { command, noteId, quoted } = data
    if (command.name === 'undo') return notes.lastHidden(mineOf(data))
    if (command.name === 'open') return hitOf(data, command.hit)
    if (isAboutAll(command)) return null
    if (!noteId || (await notes.byId(noteId))) return notes.about({ noteId, quoted }, mineOf(data))
    if (now().getTime() - Date.parse(occurredAt) < NOTE_COMES_MS)
      throw new Later('The note of this command is still on its way')
    return { _id: noteId, attempt: 1 }
  }

  /** The notes that were found last in this chat, if it was not long ago. */
  async function lastHits(data: Received['data']): Promise<string[] | undefined> {
    const at = { $gt: new Date(now().getTime() - HITS_OPEN_MS) }
    return (
      await commands
        .findOne({ chat: chatOf(data), at })
        .sort({ at: -1 })
        .lean()
    )?.hits
  }

  async function hitOf(data: Received['data'], hit: number): Promise<Attempt | null> {
    const id = (await lastHits(data))?.[hit - 1]
    return id ? notes.about({ noteId: id }, mineOf(data)) : null
  }

  /** Null when the answer is the note's next outcome. */
  async function answerTo(event: Received, about: Attempt | null): Promise<Answer | null> {
    const { userId, command, quoted, noteId, source } = event.data
    if (command.name === 'find') return search(event.data, command.words)
    if (command.name === 'latest') return latest(event.data)
    if (command.name === 'undo') return undone(about, userId)
    if (!about && command.name === 'offer') return NO_OFFER
    if (!about && command.name === 'open')
      return (await lastHits(event.data)) ? refused('no_such_hit') : NO_OFFER
    if (!about) return refused(quoted === undefined && !noteId ? 'no_note' : 'unknown_note')
    const { _id } = about
    const note = await notes.byId(_id)
    if (!note) return refused('running')
    if (command.name === 'delete') {
      const hidden = note.hiddenOf === userId ? note : await notes.hidden(_id, userId)
      if (hidden)
        return { outcome: { kind: 'deleted', title: titleOf(hidden), isCharged: false, canUndo: true } }
      const deleted = await deletion(_id, userId)
      // It is gone already when a process died after deleting it.
      const title = deleted && titleOf(deleted.note)
      return { outcome: { kind: 'deleted', title, isCharged: deleted?.isCharged ?? false, canUndo: false } }
    }
    if (note.userId !== userId) return refused('unknown_note')
    if (command.name === 'offer')
      return note.text ? { outcome: { kind: 'offer' }, transcriptionId: _id } : NO_OFFER
    if (command.name === 'title' || command.name === 'tag') {
      if (note.status === 'processing') return refused('running', _id)
      if (command.name === 'tag') return tagged(note, command.tags)
      const { title } = command
      await edit(notes, async () => (await notes.byId(_id)) ?? note, { title }, undefined)
      return { outcome: { kind: 'titled', title }, transcriptionId: _id }
    }
    if (command.name === 'choose') {
      // A YES to something else.
      if (quoted === undefined && !note.notices.some(({ code }) => code === DOUBTFUL)) return NO_OFFER
      return { outcome: { kind: 'choices', taken: languageOf(note) }, transcriptionId: _id }
    }
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
    if (command.name === 'open') {
      if (!note.text) return refused('running', _id)
      const text = textInParagraphs(segmentsOf(note), languageOf(note), note.text)
      return { outcome: { kind: 'opened', title: titleOf(note), text }, transcriptionId: _id }
    }
    if (command.name === 'which')
      return { outcome: { kind: 'which', language: command.language }, transcriptionId: _id }
    if (command.name === 'export') {
      const i18n = i18nFor(event.data.uiLanguage ?? 'en')
      const { name, content } = await exportNote(_id, userId, {
        format: command.format,
        withTimes: false,
        i18n,
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

  async function tagged(note: NoteRecord, added: string[]): Promise<Answer> {
    const { _id } = note
    const tags = distinctTags([...(note.tags ?? []), ...added]).slice(0, TAGS_MAX)
    await edit(notes, async () => (await notes.byId(_id)) ?? note, { tags }, undefined)
    return { outcome: { kind: 'tagged', title: titleOf(note), tags }, transcriptionId: _id }
  }

  /** Takes a deletion back. */
  async function undone(about: Attempt | null, userId: string): Promise<Answer> {
    if (!about) return refused('nothing_deleted')
    const { _id } = about
    const note = (await notes.restored(_id, userId)) ?? (await notes.byId(_id))
    // It may have been too late, or be deleted for good meanwhile.
    if (note?.userId !== userId) return refused('nothing_deleted')
    return { outcome: { kind: 'restored', title: titleOf(note) }, transcriptionId: _id }
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
    return found(words, await history.newest(mineOf(data), words, HITS))
  }

  async function latest(data: Received['data']): Promise<Answer> {
    const notes = await history.newest(mineOf(data), '', HITS)
    return notes.length ? found('', notes) : refused('no_note')
  }

  /** Returns the answer for what the rules refuse; throws any other error. */
  function refusalOf(error: unknown, { command }: Received['data'], about: Attempt | null): Answer {
    if (!(error instanceof Problem)) throw error
    const { status, errors, retryAfterSeconds = 1 } = error
    const code = errors?.[0]?.code ?? error.code
    if (code === 'text_under_way') throw new Later('Something else is being made of this note')
    if (command.name === 'summary' || command.name === 'translate')
      return refused(WHY_NOT_MADE[code] ?? 'no_answer', about?._id)
    if (status === 409) return refused('running', about?._id)
    if (status === 410) return refused('no_audio', about?._id)
    if (status === 404) return refused('unknown_note')
    if (status !== 429) throw error
    if (command.name === 'export') throw new Later('Another export of this person is still running')
    return { outcome: { kind: 'too_often', retryAfterSeconds }, transcriptionId: about?._id }
  }

  return async event => {
    const { id: _id, data } = event
    const known = await commands.findById(_id).lean()
    const about = known ? known.about : await noteOf(event)
    await once({ _id, about, at: now(), outbox: [] }, async ({ about }) => {
      const answer = await answerTo(event, about).catch(error => refusalOf(error, data, about))
      if (!answer) return { set: { isDone: true } }
      const { hits, ...told } = answer
      const { userId, source } = data
      return {
        set: { isDone: true, ...(hits && { hits, chat: chatOf(data) }) },
        events: [NoteCommandDone.causedBy(event, { userId, source, ...told })],
      }
    })
  }
}

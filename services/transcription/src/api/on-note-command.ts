import {
  derivedId,
  type EventOf,
  MessageUnderstood,
  type NoteCommand,
  NoteCommandDone,
} from '@voxscribe/contracts/events'
import { reason } from '@voxscribe/contracts/reasons'
import { Later, REDELIVERED_MS } from '@voxscribe/messaging'
import { createOnce, type Documents, type Lease, Problem, schemaOf } from '@voxscribe/service'
import { z } from 'zod'
import type { NoteAttempt } from '../note/life.ts'
import { formCalled } from '../text/forms.ts'
import { isChange, type Wish } from '../text/understanding.ts'
import {
  type AnyRule,
  type CommandAnswer,
  createNoteCommands,
  mineOf,
  type Received,
  refused,
} from './note-commands.ts'
import type { Rules } from './rules.ts'

/** The wish in an unclear message, or in a yes to our question. */
interface Meaning {
  /** Null: nothing that we offer. */
  wish: Wish | null
  about: NoteAttempt | null
  /** The person has to confirm it first. */
  asks: boolean
}

/** A chat command. It stays about the note found on its first delivery, even if it is redelivered. */
const CommandRecord = z.object({
  _id: z.string(),
  /** The note, with its attempt at that time; null: there was no such note. */
  about: z.custom<NoteAttempt>().nullable(),
  userId: z.string(),
  isDone: z.boolean(),
  /** Lease of the process that executes it. */
  lease: z.custom<Lease>().nullable(),
  at: z.date(),
  /** Hash of the chat, and the notes that a search has listed. */
  chat: z.string().optional(),
  hits: z.array(z.string()).optional(),
  /** The provider's ids of that search, or of our question, and of its answer. */
  messages: z.array(z.string()).optional(),
  /** Absent for a command with a clear meaning. */
  means: z.custom<Meaning>().optional(),
})

const commandSchema = schemaOf(CommandRecord)
  .index({ at: 1 }, { expireAfterSeconds: REDELIVERED_MS / 1000 })
  .index({ chat: 1, at: -1 }, { sparse: true })
  .index({ userId: 1 })

/** How long a command waits for its note, which may still be downloaded. */
const NOTE_COMES_MS = 60_000
/** How long a reply waits for its person's own message that it overtook. */
const QUOTED_COMES_MS = 10_000
/** How long a number opens a note from a search. */
const HITS_OPEN_MS = 3_600_000
/** How long a yes answers a question of ours. */
const YES_MS = 600_000

interface Deps extends Rules {
  documents: Documents
  leaseMs: number
  now(): Date
}

/** An answer, or the command that another service answers. */
type Answer =
  | CommandAnswer
  | { elsewhere: Pick<EventOf<'MessageUnderstood'>['data'], 'command' | 'uiLanguage'> }

const chatOf = ({ userId, source }: Received['data']) =>
  derivedId('chat', userId, source.channel, source.address)

/** Executes chat commands by the rules of page and API, each once and with one outcome. */
export function createOnNoteCommand(deps: Deps) {
  const { documents, notes, history, forms, understand, now } = deps
  const commands = documents.outboxModel('commands', commandSchema, { owner: 'userId' })
  const once = createOnce(commands, { isDone: false }, deps.leaseMs)
  const table = createNoteCommands(deps, lastHits, justDeleted)
  const ruleFor = (data: Received['data']) => table[data.command.name] as AnyRule

  /** Returns the notes of the quoted search, else of the last one in this chat, for an hour. */
  async function lastHits(data: Received['data']): Promise<string[] | undefined> {
    const [chat, since] = [chatOf(data), now().getTime() - HITS_OPEN_MS]
    const quoted = data.quoted && (await commands.findOne({ chat, messages: data.quoted }).lean())
    const search =
      quoted ||
      (await commands
        .findOne({ chat, hits: { $ne: null } })
        .sort({ at: -1 })
        .lean())
    return search && search.at.getTime() > since ? search.hits : undefined
  }

  /** Returns the last command in this chat; null if a note has come since. */
  async function lastThing(data: Received['data']) {
    const [last, [newest]] = await Promise.all([
      commands
        .findOne({ chat: chatOf(data) })
        .sort({ at: -1 })
        .lean(),
      history.newest(mineOf(data), '', 1),
    ])
    return last && !(newest && newest.createdAt > last.at) ? last : null
  }

  /** Returns the note whose deletion was the last thing in this chat; null if something else has come since. */
  async function justDeleted(data: Received['data']): Promise<NoteAttempt | null> {
    const [hidden, last] = await Promise.all([notes.lastHidden(mineOf(data)), lastThing(data)])
    return hidden && last?.about?._id === hidden._id ? hidden : null
  }

  /** Returns the meaning that a yes confirms: that of the quoted question, else of the last thing in this chat. */
  async function agreedTo(data: Received['data']): Promise<Meaning | undefined> {
    const { quoted } = data
    const asked = quoted
      ? await commands.findOne({ chat: chatOf(data), messages: quoted }).lean()
      : await lastThing(data)
    const isOpen = asked?.means?.asks && asked.at.getTime() > now().getTime() - YES_MS
    return isOpen ? { ...asked.means!, asks: false } : undefined
  }

  /** Has the text model interpret an unclear message; a change has to be confirmed first. */
  async function understood({ data }: Received, text: string, about: NoteAttempt | null): Promise<Meaning> {
    const form = !data.source.claimed && formCalled(await forms.forUser(data.userId), text)
    const wish: Wish | null = form
      ? { name: 'form', form: form.name }
      : await understand(data.userId, text, data.uiLanguage)
    // A number that is only claimed can't change its account.
    if (!wish || (wish.name === 'language' && data.source.claimed)) return { wish: null, about, asks: false }
    if (wish.name === 'chat' || wish.name === 'ask' || wish.name === 'language')
      return { wish, about: null, asks: wish.name === 'language' }
    const { about: find } = table[wish.name] as AnyRule
    const found = find ? await find({ ...data, command: wish }) : about
    return { wish, about: found, asks: isChange(wish) && found !== null }
  }

  /** Returns the meaning of a message that needs one, and stores it for redeliveries. */
  async function meaningOf(event: Received, about: NoteAttempt | null): Promise<Meaning | undefined> {
    const { command } = event.data
    const means =
      command.name === 'unclear'
        ? await understood(event, command.text, about)
        : command.name === 'choose' && !command.isRetry
          ? await agreedTo(event.data)
          : undefined
    if (means) await commands.updateOne({ _id: event.id }, { means })
    return means
  }

  async function noteOf({ data, occurredAt }: Received): Promise<NoteAttempt | null> {
    const { noteId, quoted, quotesOwn } = data
    const { about } = ruleFor(data)
    if (about) return about(data)
    const isKnown = !noteId || (await notes.byId(noteId))
    const found = isKnown ? await notes.about({ noteId, quoted }, mineOf(data)) : null
    const comesMs = isKnown ? (quotesOwn ? QUOTED_COMES_MS : 0) : NOTE_COMES_MS
    if (!found && now().getTime() - Date.parse(occurredAt) < comesMs)
      throw new Later('The note of this command is still on its way')
    if (isKnown) return found
    return { _id: noteId, attempt: 1 }
  }

  /** Returns null if the note's next outcome is the answer. */
  async function answerTo(
    { id: eventId, data }: Received,
    about: NoteAttempt | null,
  ): Promise<CommandAnswer | null> {
    const { userId, quoted, noteId } = data
    const { whenNoNote, needs, answer } = ruleFor(data)
    if (!about && whenNoNote) return whenNoNote(data)
    if (!about) return refused(quoted === undefined && !noteId ? 'no_note' : 'unknown_note')
    const note = await notes.byId(about._id)
    if (!note) return refused('running')
    if (needs !== 'record' && note.userId !== userId) return refused('unknown_note')
    if (!needs && note.status === 'failed')
      return { outcome: { kind: 'failed', reason: note.error ?? reason('transcription_failed') } }
    if (!needs && note.status === 'completed' && !note.text) return refused('no_speech', note._id)
    return answer?.({ data, eventId, about, note }) ?? null
  }

  /** Returns the answer to a message with this meaning, or the command that it stands for. */
  function answerOrCommand(data: Received['data'], { wish, about, asks }: Meaning): Answer | NoteCommand {
    if (!wish) return data.quoted === undefined ? { elsewhere: { command: 'hint' } } : { name: 'offer' }
    if (asks && isChange(wish)) return { outcome: { kind: 'meant', wish }, transcriptionId: about?._id }
    if (wish.name === 'chat') return { elsewhere: { command: wish.command } }
    if (wish.name === 'language') return { elsewhere: { command: 'hint', uiLanguage: wish.uiLanguage } }
    if (wish.name !== 'ask') return wish
    return { ...wish, question: data.command.name === 'unclear' ? data.command.text : '' }
  }

  /** Turns a refusal by the rules into an answer; throws `Later` if the command has to wait, and any other error. */
  function refusalOf(error: unknown, data: Received['data'], about: NoteAttempt | null): CommandAnswer {
    if (!(error instanceof Problem)) throw error
    const { status, errors, retryAfterSeconds = 1 } = error
    const code = errors?.[0]?.code ?? error.code
    if (code === 'text_under_way' || code === 'speakers_under_way')
      throw new Later('Something else is being made of this note')
    if (status === 429) {
      if (data.command.name === 'export') throw new Later('Another export of this person is still running')
      return { outcome: { kind: 'too_often', retryAfterSeconds }, transcriptionId: about?._id }
    }
    const { refusals } = ruleFor(data)
    const why = refusals?.[code] ?? refusals?.others
    if (why) return refused(why, about?._id)
    if (status === 409) return refused('running', about?._id)
    if (status === 410) return refused('no_audio', about?._id)
    if (status === 404) return refused('unknown_note')
    throw error
  }

  /** Stores the message ids by which a search can be quoted. */
  async function answered({ searchId, messageIds }: EventOf<'AnswerSent'>['data']): Promise<void> {
    await commands.updateOne({ _id: searchId }, { messages: messageIds })
  }

  async function onNoteCommand(event: Received): Promise<void> {
    const { id: _id, data } = event
    const known = await commands.findById(_id).lean()
    const about = known ? known.about : await noteOf(event)
    await once(
      { _id, about, userId: data.userId, at: now(), outbox: [] },
      async ({ about, means: known }) => {
        const means = known ?? (await meaningOf(event, about))
        const response = means ? answerOrCommand(data, means) : data.command
        const answer =
          'name' in response ? await done(event, response, means ? means.about : about) : response
        const [set, { userId, source }] = [{ isDone: true, chat: chatOf(data) }, data]
        if (!answer) return { set }
        if ('elsewhere' in answer)
          return {
            set,
            events: [MessageUnderstood.causedBy(event, { userId, source, ...answer.elsewhere })],
          }
        const { hits, ...outcome } = answer
        return {
          set: { ...set, ...(hits && { hits }) },
          events: [NoteCommandDone.causedBy(event, { userId, source, ...outcome })],
        }
      },
    )
  }

  /** Executes a command; refusals become answers. */
  function done(event: Received, command: NoteCommand, about: NoteAttempt | null) {
    const data = { ...event.data, command }
    return answerTo({ ...event, data }, about).catch(error => refusalOf(error, data, about))
  }

  return { onNoteCommand, answered }
}

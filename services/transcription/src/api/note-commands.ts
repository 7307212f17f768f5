import type { EventOf, NoteCommand } from '@voxscribe/contracts/events'
import type { Answered } from '@voxscribe/contracts/http'
import {
  CHAT_HITS,
  CHAT_SHARE_DAYS,
  COMMAND_WORDS_MAX,
  SEARCH_MAX,
  TAGS_MAX,
} from '@voxscribe/contracts/limits'
import { textInParagraphs } from '@voxscribe/contracts/paragraphs'
import { DOUBTFUL, SPEAKERS_FAILED } from '@voxscribe/contracts/reasons'
import { foundIn } from '@voxscribe/contracts/search-words'
import { distinctTags } from '@voxscribe/contracts/tags'
import { countWords } from '@voxscribe/contracts/text'
import { oneLine, speakerNames } from '@voxscribe/contracts/wording'
import type { UiLanguage } from '@voxscribe/languages'
import { i18nFor } from '@voxscribe/languages/node'
import { Later } from '@voxscribe/messaging'
import { inLanguage } from '../export/export.ts'
import type { NoteAttempt } from '../note/life.ts'
import { languageOf, titleOf } from '../note/listing.ts'
import { type Mine, type NoteRecord, segmentsOf } from '../note/record.ts'
import { formCalled } from '../text/forms.ts'
import { type Edit, edit } from './edit.ts'
import type { Rules } from './rules.ts'
import { todosIn } from './todos.ts'

export type Received = EventOf<'NoteCommandReceived'>
export type CommandAnswer = Pick<EventOf<'NoteCommandDone'>['data'], 'outcome' | 'transcriptionId'> & {
  hits?: string[]
}
type Outcome = CommandAnswer['outcome']
type CommandRefusal = Extract<Outcome, { kind: 'refused' }>['why']

type DataFor<Name> = Received['data'] & { command: Extract<NoteCommand, { name: Name }> }

interface Asked<Name> {
  data: DataFor<Name>
  eventId: string
  /** The note, and its attempt when the command first came. */
  about: NoteAttempt
  note: NoteRecord
}

interface Rule<Name> {
  /** Finds the note; default: the quoted one, else the newest of the chat. */
  about?(data: DataFor<Name>): Promise<NoteAttempt | null>
  /** The answer when there is no such note; default: a refusal. */
  whenNoNote?(data: DataFor<Name>): Promise<CommandAnswer>
  /** `record`: any note, even deleted; `own`: the person's, in any state; default: theirs, not failed, with speech. */
  needs?: 'record' | 'own'
  /** Refusals by the code of the problem; `others`: for any other code. */
  refusals?: Partial<Record<string, CommandRefusal>>
  /** Returns null if the note's next outcome is the answer. */
  answer?(asked: Asked<Name>): Promise<CommandAnswer | null>
}
export type AnyRule = Rule<NoteCommand['name']>

/** Characters of a hit's line: before the found words, and in all. */
const BEFORE_MAX = 30
const LINE_MAX = 90
/** Characters of a text searched for the line. */
const LOOKED_MAX = 50_000
/** How often a command checks for the speakers that it waits for. */
const SPEAKERS_AGAIN_MS = 3_000

/** How long a question waits for the text model. */
const ANSWER_MS = 60_000

/** Refusals of the text model. */
const NOT_MADE: Rule<NoteCommand['name']>['refusals'] = {
  same_language: 'same_language',
  transcript_too_long: 'transcript_too_long',
  already_processing: 'running',
  others: 'no_answer',
}

/** The reply is not about a note with a text. */
const NO_OFFER: CommandAnswer = { outcome: { kind: 'offer' } }

export const refused = (why: CommandRefusal, transcriptionId?: string): CommandAnswer => ({
  outcome: { kind: 'refused', why },
  transcriptionId,
})

const answerAbout = (note: NoteRecord, outcome: Outcome): CommandAnswer => ({
  outcome,
  transcriptionId: note._id,
})

/** Returns the filter for the notes that a sender may reach: with a number that is only claimed, those of its chat. */
export const mineOf = ({ userId, source }: Received['data']): Mine =>
  source.claimed ? { userId, 'source.channel': source.channel, 'source.address': source.address } : { userId }

/** Returns the rule of each chat command, based on the rules that pages and API follow. */
export function createNoteCommands(
  rules: Rules,
  lastHits: (data: Received['data']) => Promise<string[] | undefined>,
  justDeleted: (data: Received['data']) => Promise<NoteAttempt | null>,
): { [Name in NoteCommand['name']]: Rule<Name> } {
  const { notes, history, refresh, findSpeakers, deletion, exportNote, sharing, gists, translations } = rules
  const { ask, textWork, forms, formTexts } = rules

  /** Edits a note that is not being transcribed. */
  async function edited(
    note: NoteRecord,
    change: (note: NoteRecord) => Edit,
    outcomeOf: (done: NoteRecord) => Outcome,
  ): Promise<CommandAnswer> {
    const { _id } = note
    if (note.status === 'processing') return refused('running', _id)
    const done = await edit(notes, async () => (await notes.byId(_id)) ?? note, change, undefined)
    return answerAbout(note, outcomeOf(done))
  }

  async function restored(hidden: NoteRecord, userId: string): Promise<CommandAnswer> {
    const note = (await notes.restored(hidden._id, userId)) ?? hidden
    // If it was too late, the note still has no `userId`.
    if (note.userId !== userId) return refused('nothing_deleted')
    return answerAbout(note, { kind: 'restored', title: titleOf(note) })
  }

  /** Lists the open to-dos, each under the number that ticks it. */
  async function listed(data: Received['data'], ticked: string | null): Promise<CommandAnswer> {
    const todos = await todosIn(notes, mineOf(data), [false])
    const first = todos.slice(0, CHAT_HITS)
    return {
      outcome: {
        kind: 'todos',
        ticked,
        todos: first.map(({ text, due, title }) => ({ text, due, title })),
        more: todos.length - first.length,
      },
      hits: first.map(({ transcriptionId, n }) => `${transcriptionId} ${n}`),
    }
  }

  /** Returns the note, or the to-do of one, that a number refers to. */
  async function hitOf(data: DataFor<'open'>): Promise<{ noteId: string; todo: number } | undefined> {
    const [noteId, todo] = (await lastHits(data))?.[data.command.hit - 1]?.split(' ') ?? []
    return noteId === undefined ? undefined : { noteId, todo: Number(todo ?? 0) }
  }

  return {
    todo: { about: async () => null, whenNoNote: data => listed(data, null) },
    find: {
      about: async () => null,
      async whenNoNote(data) {
        const { words } = data.command
        if (!words) return refused('no_words')
        if (words.length > SEARCH_MAX || countWords(words) >= COMMAND_WORDS_MAX)
          return refused('too_many_words')
        return found(words, await history.newest(mineOf(data), words, CHAT_HITS))
      },
    },
    latest: {
      about: async () => null,
      async whenNoNote(data) {
        const newest = await history.newest(mineOf(data), '', CHAT_HITS)
        return newest.length ? found('', newest) : refused('no_note')
      },
    },
    ask: {
      refusals: NOT_MADE,
      about: async () => null,
      async whenNoNote(data) {
        const { question } = data.command
        if (!question) return refused('no_question')
        const answered = await ask(mineOf(data), { question }, AbortSignal.timeout(ANSWER_MS))
        return inQuotes(answered, textWork.isOn())
      },
    },
    form: {
      refusals: NOT_MADE,
      async answer({ data: { command, userId, source, uiLanguage = 'en' }, note }) {
        // A number that is only claimed reaches only the notes of its chat, not the account's forms.
        const own = source.claimed ? [] : await forms.forUser(userId)
        const form = formCalled(own, command.form)
        if (!form) return { outcome: { kind: 'forms', names: own.map(({ name }) => name) } }
        const { texts = [] } = await formTexts(note, form, uiLanguage)
        const made = texts.find(({ formId }) => formId === form.id)
        if (!made) return refused('no_answer', note._id)
        return answerAbout(note, { kind: 'formed', title: titleOf(note), name: form.name, text: made.text })
      },
    },
    open: {
      async about(data) {
        const hit = await hitOf(data)
        return hit ? notes.about({ noteId: hit.noteId }, mineOf(data)) : null
      },
      whenNoNote: async data => ((await lastHits(data)) ? refused('no_such_hit') : NO_OFFER),
      async answer({ data, note }) {
        const todo = (await hitOf(data))?.todo
        if (todo) {
          const ticked = await notes.ticked(note._id, data.userId, todo - 1, true)
          return listed(data, ticked?.gist?.tasks[todo - 1]?.text ?? null)
        }
        return note.text ? opened(note, data.uiLanguage) : refused('running', note._id)
      },
    },
    delete: {
      needs: 'record',
      async answer({ data: { userId }, note }) {
        const hidden = note.hiddenOf === userId ? note : await notes.hidden(note._id, userId)
        // It is already gone if a process died after deleting it.
        const deleted = hidden ? { note: hidden, charged: null } : await deletion.remove(note._id, userId)
        const charged = {
          isCharged: deleted?.charged === 'repeats',
          isChargedInPart: deleted?.charged === 'read',
        }
        const title = deleted && titleOf(deleted.note)
        return { outcome: { kind: 'deleted', title, ...charged, canUndo: hidden !== null } }
      },
    },
    undo: {
      needs: 'record',
      about: data => notes.lastHidden(mineOf(data)),
      whenNoNote: async () => refused('nothing_deleted'),
      answer: ({ data: { userId }, note }) => restored(note, userId),
    },
    cancel: {
      needs: 'record',
      about: justDeleted,
      whenNoNote: async () => ({ outcome: { kind: 'cancel' } }),
      answer: ({ data: { userId }, note }) => restored(note, userId),
    },
    offer: {
      needs: 'own',
      whenNoNote: async () => NO_OFFER,
      answer: async ({ note }) => (note.text ? answerAbout(note, { kind: 'offer' }) : NO_OFFER),
    },
    // Its meaning is determined first.
    unclear: {},
    title: {
      needs: 'own',
      answer({ data, note }) {
        const { title } = data.command
        const set = () => ({ title })
        return edited(note, set, () => ({ kind: 'titled', title }))
      },
    },
    tag: {
      needs: 'own',
      answer({ data, note }) {
        const add = ({ tags = [] }: NoteRecord) => ({
          tags: distinctTags([...tags, ...data.command.tags]).slice(0, TAGS_MAX),
        })
        return edited(note, add, ({ tags = [] }) => ({ kind: 'tagged', title: titleOf(note), tags }))
      },
    },
    choose: {
      needs: 'own',
      async answer({ data, note }) {
        // The YES refers to something else.
        if (data.quoted === undefined && !note.notices.some(({ code }) => code === DOUBTFUL)) return NO_OFFER
        return answerAbout(note, { kind: 'choices', taken: languageOf(note) })
      },
    },
    again: {
      needs: 'own',
      async answer({ data: { command, source }, eventId, about, note }) {
        if (note.asked?.eventId === eventId) return null
        // Its file was refused before it was stored.
        if (note.error && !note.sha256) return { outcome: { kind: 'failed', reason: note.error } }
        // It was refreshed by something else since this command first came.
        if (note.attempt !== about.attempt) return refused('running', note._id)
        await refresh(note, { language: command.language, askedEngine: null, asked: { eventId, source } })
        return null
      },
    },
    which: {
      answer: async ({ data: { command }, note }) =>
        answerAbout(note, { kind: 'which', language: command.language }),
    },
    share: {
      async answer({ data, note }) {
        // Others may already have the working link, so it is kept.
        const kept = await sharing.forNote(note)
        const { url, expiresAt } =
          kept ?? (await sharing.begin(note._id, data.userId, CHAT_SHARE_DAYS, false))
        return answerAbout(note, { kind: 'shared', title: titleOf(note), url, expiresAt })
      },
    },
    export: {
      async answer({ data: { command, userId, uiLanguage = 'en' }, note }) {
        const options = { format: command.format, withTimes: false, i18n: i18nFor(uiLanguage) }
        const { name, content } = await exportNote(note._id, userId, options)
        const file = { title: titleOf(note), name, content: Buffer.from(content).toString('base64') }
        return answerAbout(note, { kind: 'file', ...file })
      },
    },
    speakers: {
      refusals: { no_speaker_model: 'no_speaker_model', speakers_need_audio: 'speakers_need_audio' },
      async answer({ data, eventId, note }) {
        const { count = null } = data.command
        const { askedSpeakers: asked, speakers = [], work } = note
        const isMine = asked?.by === eventId || asked?.earlier?.includes(eventId)
        if (work?.step === 'voices') throw new Later('The speakers are being told apart', SPEAKERS_AGAIN_MS)
        if (isMine && note.notices.some(({ code }) => code === SPEAKERS_FAILED))
          return refused('speakers_failed', note._id)
        const isDone = speakers.length > 0 && (count === null || speakers.length === count)
        if (!isMine && !isDone) {
          await findSpeakers(note, { count, by: eventId })
          throw new Later('The speakers are to be told apart', SPEAKERS_AGAIN_MS)
        }
        return opened(note, data.uiLanguage)
      },
    },
    summary: {
      refusals: NOT_MADE,
      async answer({ data: { uiLanguage = 'en' }, note }) {
        const { gist } = await gists(note, uiLanguage)
        if (!gist) return refused('no_answer', note._id)
        const { lines, tasks } = gist
        return answerAbout(note, { kind: 'gist', title: titleOf(note), lines, tasks })
      },
    },
    translate: {
      refusals: NOT_MADE,
      async answer({ data: { command, uiLanguage }, note }) {
        const { language } = command
        const done = inLanguage(await translations(note, language), language)
        if (!done) return refused('no_answer', note._id)
        const text = textIn(done, language, uiLanguage)
        return answerAbout(note, { kind: 'translation', title: titleOf(note), language, text })
      },
    },
  }
}

/** Returns a note's text by speaker, whose names are in the reader's language. */
const textIn = (note: NoteRecord, language: string, uiLanguage: UiLanguage = 'en') =>
  textInParagraphs(segmentsOf(note), language, note.text, speakerNames(i18nFor(uiLanguage), note.speakers))

function opened(note: NoteRecord, uiLanguage: UiLanguage | undefined): CommandAnswer {
  const text = textIn(note, languageOf(note), uiLanguage)
  return answerAbout(note, { kind: 'opened', title: titleOf(note), text })
}

const found = (words: string, notes: NoteRecord[]): CommandAnswer => ({
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

/** Presents claims with their first quotes, numbered to open their notes; without claims, the nearest passages. */
function inQuotes({ answer, passages, left }: Answered, isAsked: boolean): CommandAnswer {
  const quotes = answer.length ? answer.map(claim => claim.quotes) : [passages]
  const shown = [...quotes.flatMap(([first]) => first ?? []), ...quotes.flatMap(([, ...more]) => more)]
  const notes = [...new Set(shown)].slice(0, CHAT_HITS)
  const claims = answer.map(({ text, quotes }) => ({
    text,
    quotes: quotes.flatMap(quote => notes.indexOf(quote) + 1 || []),
  }))
  return {
    outcome: {
      kind: 'answered',
      claims: claims.filter(({ quotes }) => quotes.length),
      notes: notes.map(({ title, at, text }) => ({ title, createdAt: at, line: oneLine(text) })),
      isAsked,
      left,
    },
    transcriptionId: notes.length === 1 ? notes[0]?.transcriptionId : undefined,
    hits: notes.map(({ transcriptionId }) => transcriptionId),
  }
}

/** Returns the line around the first match in a text; empty if there is no match. */
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

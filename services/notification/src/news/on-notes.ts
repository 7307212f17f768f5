import {
  type EventOf,
  type HandlersFor,
  messageOf,
  type NoteSource,
  OwnershipAsked,
  type Source,
} from '@voxscribe/contracts/events'
import { localTitle } from '@voxscribe/contracts/local-title'
import {
  ACCOUNT_BLOCKED,
  DAY_IS_FULL,
  DELETED,
  DOUBTFUL,
  ENGLISH_ONLY,
  type Reason,
  reason as reasonOf,
  sentenceOf,
} from '@voxscribe/contracts/reasons'
import type { I18n } from '@voxscribe/languages'
import { REDELIVERED_MS } from '@voxscribe/messaging'
import type { Offer } from '@voxscribe/service'
import type { Choices } from '../chat/chat.ts'
import {
  commandChoices,
  delayedText,
  failureText,
  languageChoices,
  moreText,
  nowLinkedText,
  ownershipText,
  quotaText,
  rejectionText,
  summaryOf,
  transcriptText,
  waitingText,
} from '../chat/chat-texts.ts'
import { gistText } from '../chat/command-texts.ts'
import type { Deps } from '../deps.ts'
import { chatKey, DAY_MS } from '../sending/outbound.ts'
import { i18nOf, otherLanguagesOf, type Person } from '../sending/people.ts'
import { claimThreshold } from './on-billing.ts'

const MINUTE_MS = 60_000

/** Reasons that apply to all of a person's notes, so they are sent once a day. */
const OF_THE_DAY = [ACCOUNT_BLOCKED, DAY_IS_FULL]

type Answered = EventOf<'TranscriptionCompleted' | 'NoteSummarised' | 'TranscriptionFailed' | 'NoteRejected'>
/** A completed note, possibly with the gist that its reply waited for. */
type Done = EventOf<'TranscriptionCompleted' | 'NoteSummarised'>

interface Said {
  text: string
  gist?: string
  title?: string
  summary?: string
  choices?: Choices | undefined
  language?: string
}

/** Sends the outcomes of notes to their chats. Keys are the note's, not the event's, so each note gets one reply. */
export function createNoteHandlers(deps: Deps) {
  const { outbound, answers, balanceOf, typing, people, claims, hooks, publicUrl, offer } = deps

  const deletionOf = (id: string) => `deleted:${id}`
  const isDeleted = ({ transcriptionId }: Answered['data']) => claims.isHeld(deletionOf(transcriptionId))

  /** Leaves out notices about the installation that the person has already received today. */
  async function withoutRepeats({ id, data }: Done) {
    const isOfInstallation = ({ code }: Reason) => code === ENGLISH_ONLY
    if (!data.notices.some(isOfInstallation)) return data
    if (await claims.onceIn(DAY_MS, `${ENGLISH_ONLY}:${data.userId}`, id, data.userId)) return data
    return { ...data, notices: data.notices.filter(notice => !isOfInstallation(notice)) }
  }

  /** Returns the end of the first reply to a claimed number, which names its account; otherwise ''. */
  async function ownerIn(event: Answered, { claimed }: Source): Promise<string> {
    const { userId } = event.data
    const person = claimed && (await people.of(userId, event))
    if (!person) return ''
    const { phoneClaimedAt } = person
    // OwnershipAsked is in the same write, so that ingestion knows the question before the person can answer it.
    const question = OwnershipAsked.causedBy(event, { userId, phoneClaimedAt })
    const asks = await claims.once(`ownership:${userId}:${phoneClaimedAt}`, event.id, question, userId)
    return asks ? ownershipText(i18nOf(person), person.email) : ''
  }

  async function answer(
    event: Answered,
    person: Person | null,
    key: string,
    source: Source,
    said: Said,
  ): Promise<void> {
    const { transcriptionId, userId } = event.data
    const { title = '', text, gist, choices, language } = said
    typing.end(transcriptionId)
    await people.rememberChat(userId, source, event.occurredAt, language, person)
    const linked = person?.linked ? nowLinkedText(i18nOf(person), person.firstName) : ''
    const summary = [said.summary, linked, await ownerIn(event, source)].filter(Boolean).join('\n\n')
    await answers.send(key, { transcriptionId, userId, source, title, text, gist, summary, choices })
    if (linked) await people.sayLinked(userId, false)
  }

  /** Returns the text below a transcript: its figures, with the current minutes left, and a passed threshold. */
  async function summaryAt({ id, data }: Done, note: Done['data'], i18n: I18n): Promise<string> {
    const { userId, transcriptionId, seconds } = data
    const balance = await balanceOf(userId, transcriptionId, seconds)
    const known = 'remainingSeconds' in data ? data.remainingSeconds : null
    const percent = balance && (await claimThreshold(claims, 'chat', balance, { id, userId }))
    const news = percent
      ? `${quotaText(i18n, percent, balance.periodEnd)} ${moreText(i18n, { publicUrl, offer })}`.trim()
      : undefined
    return [summaryOf(i18n, note, balance?.remainingSeconds ?? known), news].filter(Boolean).join('\n\n')
  }

  async function answerDone(event: Done, gist: EventOf<'NoteSummarised'>['data']['gist'] = null) {
    const { transcriptionId, userId, title, language } = event.data
    const source = messageToAnswer(event.data)
    if (!source) return
    const [note, person] = await Promise.all([withoutRepeats(event), people.byId(userId)])
    const i18n = i18nOf(person)
    const figures = await summaryAt(event, note, i18n)
    const said = {
      title: localTitle(i18n, title),
      language,
      text: transcriptText(i18n, note),
      ...(gist && { gist: gistText(i18n, gist) }),
      summary: gist ? `${publicUrl}/transcriptions/${transcriptionId}\n${figures}` : figures,
      choices: choicesFor(i18n, note, person, offer),
    }
    await answer(event, person, `completed:${keyOf(event.data)}`, source, said)
  }

  /** Says that a text takes a while, once per note and once a minute per chat. */
  async function notifyDelay(
    id: string,
    { source, userId }: { source: Source; userId: string },
    textIn: (i18n: I18n) => string,
  ): Promise<void> {
    if (await answers.isSent(id)) return
    const isFirst = await claims.onceIn(MINUTE_MS, `reassured:${chatKey(source)}`, id)
    if (isFirst) await outbound.chat(`waiting:${id}`, source, textIn(await people.i18n(userId)))
  }

  return {
    async TranscriptionCompleted(event) {
      if (await isDeleted(event.data)) return
      await hooks.announce('transcription.completed', event, event.data.item)
      if (!event.data.awaitsGist) await answerDone(event)
    },
    async NoteSummarised(event) {
      if (!(await isDeleted(event.data))) await answerDone(event, event.data.gist)
    },
    async TranscriptionFailed(event) {
      const { userId, reason, asked, item } = event.data
      if (reason.code === DELETED || (await isDeleted(event.data))) return
      await hooks.announce('transcription.failed', event, item)
      const source = messageToAnswer(event.data)
      if (!source) return
      const person = await people.byId(userId)
      const i18n = i18nOf(person)
      const text = asked ? sentenceOf(i18n, reasonOf('refresh_failed', reason)) : failureText(i18n, reason)
      await answer(event, person, `failed:${keyOf(event.data)}`, source, { text })
    },
    async NoteRejected(event) {
      const { transcriptionId, userId, source, fileName, reason, item } = event.data
      if (await isDeleted(event.data)) return
      await hooks.announce('transcription.failed', event, item)
      const key = `rejected:${reason.code}:${userId}`
      if (OF_THE_DAY.includes(reason.code) && !(await claims.onceIn(DAY_MS, key, event.id, userId))) return
      const person = await people.byId(userId)
      const text = rejectionText(i18nOf(person), fileName, reason, publicUrl)
      await answer(event, person, `failed:${transcriptionId}`, source, { text })
    },
    MessageFailed: event => answers.failed(event),
    async MediaAnnounced({ data }) {
      typing.begin(data.mediaId, data.source)
    },
    MediaDelayed: ({ data }) => notifyDelay(data.mediaId, data, i18n => delayedText(i18n, data.fileName)),
    NoteQueued: ({ data }) => notifyDelay(keyOf(data), data, i18n => waitingText(i18n, data.waitSeconds)),
    /** Applies to withdrawn notes as well. Texts of the note that arrive late or are retried aren't sent. */
    async TranscriptionDeleted(event) {
      const { mediaId: id } = event.data
      typing.end(id)
      await claims.onceIn(REDELIVERED_MS, deletionOf(id), event.id)
      await Promise.all([answers.forget(id), hooks.forgetNote(id)])
      await hooks.announce('transcription.deleted', event, { id })
    },
    ConversationCompleted: event => hooks.announce('conversation.completed', event, event.data.conversation),
    NoteWithdrawn: ({ data }) => answers.forget(data.mediaId),
  } satisfies Partial<HandlersFor<'notification'>>
}

/** Offers another language for a doubtful text, unless only English is recognized, and help for a note without text. */
function choicesFor(
  i18n: I18n,
  { text, language, notices }: Done['data'],
  person: Person | null,
  offer: Offer,
): Choices | undefined {
  if (!text.trim()) return commandChoices(i18n, offer)
  const has = (code: string) => notices.some(notice => notice.code === code)
  if (!person || !has(DOUBTFUL) || has(ENGLISH_ONLY)) return undefined
  return languageChoices(i18n, otherLanguagesOf(person, language))
}

interface Attempt {
  transcriptionId: string
  attempt: number
  source: NoteSource
  asked?: Source | undefined
}

/** A refresh replies to its command. One from the page is shown there, and its chat may be someone else's by now. */
const messageToAnswer = ({ attempt, source, asked }: Attempt): Source | null =>
  asked ?? (attempt > 1 ? null : messageOf(source))

/** Returns one key per attempt that gets a reply. */
const keyOf = ({
  transcriptionId,
  attempt = 1,
}: Pick<Attempt, 'transcriptionId'> & Partial<Attempt>): string =>
  attempt > 1 ? `${transcriptionId}:${attempt}` : transcriptionId

import { AnswerSent, derivedId, type EventOf, Source } from '@voxscribe/contracts/events'
import { fileNameFor } from '@voxscribe/contracts/file-names'
import { CHAT_ANSWER_DAYS, WAITING_ANSWER_DAYS } from '@voxscribe/contracts/limits'
import { currentTrace, type Documents, insertOnce, schemaOf } from '@voxscribe/service'
import { z } from 'zod'
import { ACCOUNT_STOPPED, type Choices, WINDOW_CLOSED, withBelow } from '../chat/chat.ts'
import { excerptOf } from '../chat/chat-texts.ts'
import { shielded } from '../chat/marks.ts'
import { answerMail } from '../mail/mails.ts'
import { chatKey, DAY_MS, type Outbound } from './outbound.ts'
import { i18nOf, type People } from './people.ts'
import type { PersonMails } from './person-mails.ts'
import type { ChatWay, Sendings, Sent, SentEvent } from './sendings.ts'

/** The reply to a note, kept for a while in case the provider can't deliver it. */
const Answer = z.object({
  /** The note and its outcome. */
  _id: z.string(),
  transcriptionId: z.string(),
  userId: z.string(),
  source: Source,
  /** The note's title, after which a file is named. */
  title: z.string(),
  text: z.string(),
  /** Replaces a long text, which is then sent as a file. */
  gist: z.string().optional(),
  /** Shown below the text; empty without one. */
  summary: z.string(),
  choices: z.custom<Choices>().optional(),
  /** Set once it waits for a message: its chat (null: it was sent), and the number of failed tries since. */
  later: z.object({ chat: z.string().nullable(), tries: z.int() }).nullish(),
  expiresAt: z.date(),
})
type Answer = z.infer<typeof Answer>

interface Deps {
  documents: Documents
  sendings: Sendings
  outbound: Outbound
  people: People
  mails: PersonMails
  publicUrl: string
}

/** Providers report most failures within minutes; some take a day. */
const KEPT_MS = CHAT_ANSWER_DAYS * DAY_MS
/** As long as a note's audio is kept; after that, its reply isn't sent anymore. */
const WAITS_MS = WAITING_ANSWER_DAYS * DAY_MS
/** A failure may arrive before the message is recorded as sent. */
const RECORDED_WITHIN_MS = 60_000
/** The Cloud API's limit for a file's caption, and for a template with its value. */
const CAPTION_MAX = 1024

const nameOf = (way: ChatWay | 'mail') => (typeof way === 'string' ? way : `later-${way.later}`)

const answerSchema = schemaOf(Answer)
  .index({ expiresAt: 1 }, { expireAfterSeconds: 0 })
  .index({ 'later.chat': 1 }, { sparse: true })
  .index({ userId: 1 })

const summaryBelow = ({ summary }: Answer) => summary && `\n\n${summary}`
const lengthBelow = (answer: Answer): number =>
  withBelow(summaryBelow(answer), answer.choices?.inWords).length
const ELLIPSIS = ' …'.length

/** Sends replies the first way that works. One that the chat refuses is mailed, and waits for the next message. */
export function createAnswers(deps: Deps) {
  const { documents, sendings, outbound, people, mails, publicUrl } = deps
  const answers = documents.model<Answer>('answers', answerSchema, { owner: 'userId' })

  /** Whether only the beginning fits into one message. */
  const isLong = (answer: Answer): boolean =>
    Boolean(answer.gist) ||
    shielded(answer.text).length + lengthBelow(answer) > outbound.channelOf(answer.source).maxLength

  /** Returns the gist or the beginning of a text, with the lines below it, within the limit of a caption. */
  function shortOf(answer: Answer): string {
    const room = CAPTION_MAX - ELLIPSIS - lengthBelow(answer)
    const { gist, text } = answer
    return (gist ? excerptOf(gist, room, room) : excerptOf(shielded(text), room)) + summaryBelow(answer)
  }

  async function sendBy(answer: Answer, way: ChatWay): Promise<Sent> {
    const { _id, source, title, text: content, choices } = answer
    const key = `${_id}:${nameOf(way)}`
    const about = { answer: { id: _id, way }, sentEvent: sentEventOf(answer, way) }
    if (way === 'template') return outbound.chat(key, source, shortOf(answer), { ...about, asTemplate: true })
    if (!isLong(answer))
      return outbound.chat(key, source, shielded(content) + summaryBelow(answer), { ...about, choices })
    if (way === 'text') {
      const i18n = await people.i18n(answer.userId)
      const rest = i18n.t('You’ll find the whole text in your history: {url}', {
        url: `${publicUrl}/transcription-history`,
      })
      return outbound.chat(key, source, `${shortOf(answer)}\n\n${rest}`, { ...about, choices })
    }
    const file = { name: fileNameFor(title, '.txt'), content }
    return outbound.chat(key, source, shortOf(answer), { ...about, file, choices })
  }

  async function deliver(answer: Answer, way: ChatWay): Promise<void> {
    const result = await sendBy(answer, way)
    // A text that was refused at once would be refused again.
    if (result.outcome === 'refused') return fallBack(answer, way, result.code, isLong(answer))
    if (typeof way === 'object')
      await answers.updateOne({ _id: answer._id }, { $set: { 'later.chat': null } })
    // The template has only the beginning of the text.
    if (way === 'template' && isLong(answer)) await wait(answer, way)
  }

  /** Returns the event of a sent reply; in the chat, its message may be quoted. */
  function sentEventOf({ _id, transcriptionId, userId }: Answer, way: ChatWay | 'mail'): SentEvent {
    const origin = { id: derivedId('answer-sent', _id, nameOf(way)), traceId: currentTrace() }
    const about = { transcriptionId, userId }
    return messageId =>
      way === 'mail'
        ? AnswerSent.create({ ...about, way, messageIds: [] }, origin)
        : AnswerSent.create({ ...about, way: 'chat', messageIds: [messageId] }, origin)
  }

  /** Continues with a reply that the chat refused in this way. */
  async function fallBack(answer: Answer, way: ChatWay, code: string, mayBeText: boolean): Promise<void> {
    const isFree = way === 'first' || way === 'text'
    const isClosed = WINDOW_CLOSED.includes(code)
    const isStopped = ACCOUNT_STOPPED.includes(code)
    if (way === 'first' && !isClosed && !isStopped && mayBeText) return deliver(answer, 'text')
    if (isFree && isClosed && outbound.channelOf(answer.source).hasTemplate)
      return deliver(answer, 'template')
    await wait(answer, way)
    const person = await people.byId(answer.userId)
    if (!person || person.lateAnswers === 'chat') return
    const mail = answerMail(i18nOf(person), person, answer.text + summaryBelow(answer), publicUrl)
    await mails.toProved(`${answer._id}:mail`, person, mail, sentEventOf(answer, 'mail'))
  }

  /** Keeps a reply for the person's next message. Idempotent: one that was sent in the meantime doesn't wait again. */
  async function wait({ _id, source }: Answer, way: ChatWay): Promise<void> {
    const isAgain = typeof way === 'object'
    const later = { chat: chatKey(source), tries: isAgain ? way.later + 1 : 0 }
    const before = isAgain ? { 'later.tries': way.later } : { later: null }
    const expiresAt = new Date(Date.now() + WAITS_MS)
    await answers.updateOne({ _id, ...before }, { $set: { later, expiresAt } })
  }

  return {
    /** Sends the reply to a note, once per key: one message in the chat, with a file if the text is long. */
    async send(key: string, answer: Omit<Answer, '_id' | 'expiresAt' | 'later'>): Promise<void> {
      const kept = { _id: key, ...answer, expiresAt: new Date(Date.now() + KEPT_MS) }
      await insertOnce(answers, kept)
      await deliver(kept, 'first')
    },

    isSent: async (transcriptionId: string): Promise<boolean> =>
      (await answers.exists({
        _id: { $in: [`completed:${transcriptionId}`, `failed:${transcriptionId}`] },
      })) !== null,

    /** Sends a person's replies that wait for a message from this chat, whose number may be somebody else's by now. */
    async sendWaiting({ userId, source }: { userId?: string | undefined; source: Source }): Promise<void> {
      if (userId === undefined) return
      const waits = { 'later.chat': chatKey(source), userId }
      const waiting = await answers.find(waits).sort({ expiresAt: 1 }).lean<Answer[]>()
      for (const answer of waiting) await deliver(answer, { later: answer.later?.tries ?? 0 })
    },

    /** Deletes the replies to a deleted note, including those to later attempts, so that none is sent later. */
    async forget(transcriptionId: string): Promise<void> {
      for (const outcome of ['completed', 'failed']) {
        const first = `${outcome}:${transcriptionId}`
        await answers.deleteMany({ $or: [{ _id: first }, { _id: { $gt: `${first}:`, $lt: `${first};` } }] })
      }
    },

    /** Resends the next way what the provider couldn't deliver; each way is tried once. */
    async failed({ data, occurredAt }: EventOf<'MessageFailed'>): Promise<void> {
      const result = await sendings.byProviderId(data.messageId)
      if (!result) {
        if (Date.now() - Date.parse(occurredAt) > RECORDED_WITHIN_MS) return
        throw new Error('A message failed that is not known to be sent yet')
      }
      outbound.failed(data.channel, data.code)
      const { id, way } = result.answer ?? {}
      const answer = id && (await answers.findById(id).lean<Answer>())
      if (answer && way) await fallBack(answer, way, data.code, true)
    },
  }
}

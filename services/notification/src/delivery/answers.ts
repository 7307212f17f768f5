import { AnswerSent, derivedId, type EventOf, Source } from '@voxscribe/contracts/events'
import { fileNameFor } from '@voxscribe/contracts/wording'
import { currentTrace, type Documents, insertOnce, schemaOf } from '@voxscribe/service'
import { z } from 'zod'
import type { Delivery } from '../chat/chat.ts'
import { excerptOf } from '../chat/chat-texts.ts'
import { answerMail } from '../mail/mails.ts'
import type { Deliveries } from './deliveries.ts'
import type { Outbound } from './outbound.ts'
import { i18nOf, type People } from './people.ts'

/** The answer to a note. Kept for a while, in case the provider cannot deliver it. */
const Answer = z.object({
  /** The note and what became of it. */
  _id: z.string(),
  transcriptionId: z.string(),
  userId: z.string(),
  source: Source,
  /** Of the note; a file is named after it. */
  title: z.string(),
  text: z.string(),
  /** Stands below the text; empty when there is none. */
  summary: z.string(),
  at: z.date(),
})
type Answer = z.infer<typeof Answer>

interface Deps {
  documents: Documents
  deliveries: Deliveries
  outbound: Outbound
  people: People
  publicUrl: string
}

/** Providers report a failure within minutes; some take a day. */
const KEPT_SECONDS = 3 * 86_400
/** A failure may arrive before the message is recorded as sent. */
const RECORDED_WITHIN_MS = 60_000
/** The Cloud API's limit for what stands below a file. */
const CAPTION_MAX = 1024

/** How an answer is sent. If it fails, the next way is tried: as it is, as a text, by mail. */
type Way = 'first' | 'text' | 'mail'

const answerSchema = schemaOf(Answer).index({ at: 1 }, { expireAfterSeconds: KEPT_SECONDS })

/** Sends the answers to notes, each by the first way that works. */
export function createAnswers({ documents, deliveries, outbound, people, publicUrl }: Deps) {
  const answers = documents.outboxModel('answers', answerSchema)

  async function deliver(answer: Answer, way: Way): Promise<void> {
    const { _id, transcriptionId, userId, source, title, text } = answer
    const summary = answer.summary && `\n\n${answer.summary}`
    const whole = text + summary
    const short = excerptOf(text) + summary
    const isLong = whole.length > outbound.maxLength(source)
    const asFile = way === 'first' && isLong
    const key = `${_id}:${way}`
    let delivery: Delivery
    if (way === 'mail') {
      const person = await people.byId(userId)
      if (!person) return
      delivery = await outbound.mail(key, answerMail(i18nOf(person), person, whole, publicUrl))
    } else if (asFile) {
      const file = { name: fileNameFor(title, '.txt'), content: text }
      delivery = await outbound.chat(key, source, short.slice(0, CAPTION_MAX), file)
    } else {
      const rest = i18nOf(await people.byId(userId)).t('You’ll find the whole text in your history: {url}', {
        url: `${publicUrl}/transcription`,
      })
      const said = isLong ? `${short}\n\n${rest}` : whole
      delivery = await outbound.chat(key, source, said)
    }
    if (delivery.outcome === 'sent') {
      const isMail = way === 'mail'
      const messageIds = isMail ? [] : [delivery.id]
      const data = {
        transcriptionId,
        userId,
        way: isMail ? ('mail' as const) : ('chat' as const),
        messageIds,
      }
      const origin = { id: derivedId('answer-sent', _id, way), traceId: currentTrace() }
      await answers.updateOne({ _id }, { $push: { outbox: AnswerSent.create(data, origin) } })
    }
    // A text that was refused at once would be refused again.
    else if (way !== 'mail') await deliver(answer, asFile ? 'text' : 'mail')
  }

  return {
    /** Sends the answer to a note, once for its key: in the chat as one message, with a file when the text is long. */
    async give(key: string, answer: Omit<Answer, '_id' | 'at'>): Promise<void> {
      const kept = { _id: key, ...answer, at: new Date(), outbox: [] }
      await insertOnce(answers, kept)
      await deliver(kept, 'first')
    },

    /** Resends by the next way what the provider could not deliver; each way is tried once. */
    async failed({ data, occurredAt }: EventOf<'MessageFailed'>): Promise<void> {
      const delivery = await deliveries.keyOf(data.messageId)
      if (!delivery) {
        if (Date.now() - Date.parse(occurredAt) > RECORDED_WITHIN_MS) return
        throw new Error('A message failed that is not known to be sent yet')
      }
      outbound.failed(data.channel, data.code)
      const [, key, way] = /^(.*):(first|text)$/.exec(delivery) ?? []
      const answer = key && (await answers.findById(key).lean<Answer>())
      if (answer) await deliver(answer, way === 'first' ? 'text' : 'mail')
    },
  }
}
export type Answers = ReturnType<typeof createAnswers>

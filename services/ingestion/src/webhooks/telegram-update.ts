import { derivedId } from '@voxscribe/contracts/events'
import { telegramAddress, telegramMessageId } from '@voxscribe/service/telegram'
import { z } from 'zod'
import { cleanName, hasNoSound, type InboundMedia, type InboundMessage, nameFor } from '../senders/inbound.ts'
import { dispensable, jsonOf, Seconds } from './requests.ts'

const Id = z.int()
const AttachedFile = z.object({
  file_id: z.string().min(1).max(300),
  file_name: dispensable(z.string()),
  mime_type: z.string().catch(''),
})
type AttachedFile = z.infer<typeof AttachedFile>
/** Only its presence matters. */
const Content = dispensable(z.looseObject({}).or(z.array(z.unknown())))

const From = z.object({
  id: Id.positive(),
  is_bot: z.boolean().default(false),
  language_code: dispensable(z.string().max(35)),
})
const Place = z.object({ message_id: Id, chat: z.object({ id: Id, type: dispensable(z.string()) }) })
const Quoted = Place.extend({ from: dispensable(From), text: dispensable(z.string()) })
const Topic = {
  is_topic_message: dispensable(z.boolean()),
  message_thread_id: dispensable(z.int().positive()),
}
const Message = Place.extend({
  ...Topic,
  from: From,
  date: Seconds,
  edit_date: Seconds,
  text: dispensable(z.string()),
  caption: dispensable(z.string()),
  forward_origin: Content,
  reply_to_message: dispensable(Quoted),
  voice: dispensable(AttachedFile),
  audio: dispensable(AttachedFile),
  video_note: dispensable(AttachedFile),
  video: dispensable(AttachedFile),
  document: dispensable(AttachedFile),
  /** An animation, which is also sent as a document. */
  animation: Content,
  photo: Content,
  location: Content,
  contact: Content,
  poll: Content,
})
type Message = z.infer<typeof Message>
const Callback = z.object({
  id: z.string().min(1).max(100),
  from: From,
  message: Place.extend(Topic),
  data: z.string().min(1),
})
const Update = z.object({
  message: z.unknown().optional(),
  edited_message: z.unknown().optional(),
  callback_query: z.unknown().optional(),
})

export interface ReadUpdate {
  message: InboundMessage
  /** A pressed button shows progress until this is answered. */
  callbackId?: string
}

/** Reads an `Update` (core.telegram.org/bots/api); undefined if it has another shape or asks for nothing. */
export function readUpdate(raw: Buffer, bot: string): ReadUpdate | undefined {
  const update = Update.safeParse(jsonOf(raw)).data
  const callback = Callback.safeParse(update?.callback_query).data
  if (callback?.from.is_bot) return undefined
  if (callback) return { message: pressed(callback, bot), callbackId: callback.id }
  const message = Message.safeParse(update?.message ?? update?.edited_message).data
  if (!message || message.from.is_bot || wasTouched(message)) return undefined
  return { message: written(message, bot) }
}

/** People can edit for 48 hours. A later edit is a reaction, and its message may no longer be known here. */
const EDITABLE_MS = 48 * 3_600_000
const wasTouched = ({ date, edit_date = date }: Message) => Number(edit_date) - Number(date) > EDITABLE_MS

const senderOf = ({ id, language_code }: z.infer<typeof From>) => ({
  sender: { channel: 'telegram' as const, phone: null, messengerId: telegramAddress(id) },
  ...(language_code && { language: language_code }),
})

const idOf = ({ chat, message_id }: z.infer<typeof Place>, bot: string) =>
  telegramMessageId(chat.id, message_id, bot)

/**
 * A corrected command is a new message. Other edits are the same message: bots also get one for a first reaction, with
 * a new `edit_date` (tdlib/telegram-bot-api#773). Four digits distinguish two texts without revealing a link code.
 */
function idOfText(message: z.infer<typeof Quoted>, bot: string): string {
  const [id, { text, from }] = [idOf(message, bot), message]
  return text === undefined || from?.is_bot ? id : `${id}:${derivedId(id, text).slice(0, 4)}`
}

type InChat = z.infer<typeof Place> & Partial<Pick<Message, 'is_topic_message' | 'message_thread_id'>>
/** A group isn't the person's chat: replies go to the private chat, which doesn't have the group's topics. */
const placeOf = ({ chat, is_topic_message, message_thread_id }: InChat) =>
  chat.type === 'private'
    ? is_topic_message && message_thread_id && { topicId: message_thread_id }
    : { isInGroup: true }

/** Each press is a separate message, which quotes the one with the button. */
const pressed = ({ id, from, message, data }: z.infer<typeof Callback>, bot: string): InboundMessage => ({
  id: `${idOf(message, bot)}:press${id}`,
  ...senderOf(from),
  text: data,
  media: [],
  quoted: idOf(message, bot),
  ...placeOf(message),
})

function written(message: Message, bot: string): InboundMessage {
  const { from, text, caption, reply_to_message: quoted, document } = message
  const media = mediaOf(message)
  const { photo, location, contact, poll, forward_origin } = message
  const isSoundless = !media && [photo, location, contact, poll, document].some(what => what !== undefined)
  return {
    id: idOfText(message, bot),
    ...senderOf(from),
    text: text === undefined ? (caption ?? null) : saidBy(text),
    media: media ? [media] : [],
    ...(quoted && { quoted: idOfText(quoted, bot) }),
    ...(quoted?.from?.id === from.id && { quotesOwn: true }),
    ...(forward_origin && { isForwarded: true }),
    ...placeOf(message),
    ...(isSoundless && { isSoundless }),
  }
}

/** Returns the words for a command of Telegram's menu: the code for `/start VX-…`, `latest` for `/latest@OurBot`. */
function saidBy(text: string): string {
  const [, command, rest = ''] = /^\/(\w+)(?:@\w+)?(?:\s+(.*))?$/s.exec(text) ?? []
  if (!command) return text
  return command === 'start' ? rest || 'help' : `${command} ${rest}`.trim()
}

function mediaOf(message: Message): InboundMedia | undefined {
  const { voice, audio, video_note, video, document, animation, date = new Date() } = message
  const attached = document && !animation && !hasNoSound(document.mime_type) ? document : undefined
  const file: AttachedFile | undefined = voice ?? audio ?? video_note ?? video ?? attached
  if (!file) return undefined
  const what = voice ? 'Voice note' : (video_note ?? video) ? 'Video' : 'Audio'
  const mime = file.mime_type || (video_note ? 'video/mp4' : '')
  return {
    providerMediaId: file.file_id,
    fileName: cleanName(file.file_name ?? '') || nameFor(what, date, mime),
    sha256: null,
  }
}

import { z } from 'zod'
import type { InboundMedia, InboundMessage } from '../senders/inbound.ts'
import { cleanName, hasNoSound, nameFor } from '../senders/inbound.ts'
import type { FailedMessage } from './accept.ts'
import { dispensable, jsonOf, Seconds } from './requests.ts'

const AttachedFile = z.object({
  id: z.string().min(1).max(200),
  mime_type: z.string().catch(''),
  sha256: dispensable(z.string()),
  voice: dispensable(z.boolean()),
  filename: dispensable(z.string()),
  caption: dispensable(z.string()),
})
type AttachedFile = z.infer<typeof AttachedFile>

const Digits = dispensable(z.string().regex(/^\d{5,15}$/))

const Message = z.object({
  // Our ids are derived from it, which requires well-formed text.
  id: z
    .string()
    .min(1)
    .max(300)
    .refine(id => id.isWellFormed()),
  from: dispensable(z.string().max(200)),
  from_user_id: dispensable(z.string().min(1).max(200)),
  timestamp: Seconds,
  type: z.string(),
  text: dispensable(z.object({ body: z.string() })),
  /** A press of one of our buttons; its id is the text that it stands for. */
  interactive: dispensable(z.object({ button_reply: z.object({ id: z.string() }) })),
  /** A press of a template's button. */
  button: dispensable(z.object({ payload: z.string() })),
  /** The quoted message, or the one with the button; forwarded messages have no `id`. */
  context: dispensable(
    z.object({
      id: dispensable(z.string().min(1)),
      from: dispensable(z.string()),
      forwarded: dispensable(z.boolean()),
      frequently_forwarded: dispensable(z.boolean()),
    }),
  ),
  audio: dispensable(AttachedFile),
  video: dispensable(AttachedFile),
  document: dispensable(AttachedFile),
  image: dispensable(z.object({ caption: dispensable(z.string()) })),
  unsupported: dispensable(z.object({ type: z.string() })),
  errors: dispensable(z.array(z.object({ code: z.coerce.number() }))),
  group_id: dispensable(z.string()),
  revoke: dispensable(z.object({ original_message_id: z.string().min(1).max(300) })),
  /** The new number is in `wa_id`; its older name is `new_wa_id`. */
  system: dispensable(z.object({ type: z.string(), wa_id: Digits, new_wa_id: Digits })),
})
type Message = z.infer<typeof Message>

const FILES = ['audio', 'video', 'document'] as const

/** `unsupported`: a poll, or a view-once message. Stickers and reactions ask for nothing. */
const SOUNDLESS = ['image', 'location', 'contacts', 'unsupported']
/** Unsupported types that aren't messages, but changes of another one. */
const TOUCHES = ['edit', 'keep_in_chat', 'pin', 'poll_update', 'reaction']
/** WhatsApp got the message but could not deliver it; it may have been a note (chatwoot/chatwoot#14547). */
const UNAVAILABLE = 131_060

const Contact = z.object({ wa_id: dispensable(z.string()), user_id: dispensable(z.string()) })
type Contact = z.infer<typeof Contact>

const Change = z.object({
  /** Other fields report earlier chats (`history`) and the business's own messages (`smb_message_echoes`). */
  field: z.literal('messages').default('messages'),
  value: z.object({
    metadata: z.object({ phone_number_id: z.string() }),
    contacts: z.array(z.unknown()).catch([]),
    messages: z.array(z.unknown()).catch([]),
    statuses: z.array(z.unknown()).catch([]),
  }),
})
/** Status of one of our messages; only its failure matters, and whether it was read before. */
const Status = z.object({
  id: z.string().min(1).max(300),
  status: z.enum(['failed', 'read', 'played']),
  errors: dispensable(z.array(z.object({ code: z.coerce.string(), title: z.string().catch('') }))),
})
const Entry = z.object({ changes: z.array(z.unknown()) })
const Body = z.object({ object: z.literal('whatsapp_business_account'), entry: z.array(z.unknown()) })

interface ReadPayload {
  messages: InboundMessage[]
  failed: FailedMessage[]
  /** Ids of our messages that were read. */
  seen: string[]
  /** Entries that can't be parsed, or aren't for one of our numbers, for the log. */
  skipped: string[]
}

/** Reads a WhatsApp webhook (Graph v26.0). Skips what can't be parsed, because WhatsApp would retry it for days. */
export function readPayload(raw: Buffer, numberIds: string[]): ReadPayload {
  const read: ReadPayload = { messages: [], failed: [], seen: [], skipped: [] }
  const body = Body.safeParse(jsonOf(raw))
  if (!body.success) return { ...read, skipped: ['not a WhatsApp webhook'] }
  for (const given of body.data.entry.flatMap(entry => Entry.safeParse(entry).data?.changes ?? [undefined])) {
    const change = Change.safeParse(given)
    if (!change.success) {
      read.skipped.push('a change without messages')
      continue
    }
    const { metadata, contacts, messages, statuses } = change.data.value
    const { phone_number_id: numberId } = metadata
    if (!numberIds.includes(numberId)) {
      read.skipped.push('a change for another number')
      continue
    }
    const to = numberIds.length > 1 ? { numberId } : {}
    for (const each of messages) {
      const message = readMessage(each, contacts, to)
      if (typeof message === 'string') read.skipped.push(message)
      else read.messages.push(message)
    }
    for (const status of statuses) {
      const { id, status: became, errors: [error] = [] } = Status.safeParse(status).data ?? {}
      if (id && became !== 'failed') read.seen.push(id)
      else if (id) read.failed.push({ id, code: error?.code ?? '', title: error?.title ?? '' })
    }
  }
  return read
}

/** Returns the message, or why it is skipped. */
function readMessage(
  given: unknown,
  contacts: unknown[],
  to: Pick<InboundMessage, 'numberId'>,
): InboundMessage | string {
  const message = Message.safeParse(given)
  if (!message.success) return 'a message of an unknown shape'
  const sender = senderOf(
    message.data,
    contacts.flatMap(contact => Contact.safeParse(contact).data ?? []),
  )
  if (!sender.phone && !sender.messengerId) return 'a message without a sender'
  const { type, id, document, image, context, unsupported, errors, group_id, revoke, system } = message.data
  const kind = FILES.find(each => each === type)
  const file = kind && message.data[kind]
  if (kind && !file) return 'a message of an unknown shape'
  const isUnavailable = errors?.some(({ code }) => code === UNAVAILABLE) ?? false
  const isSoundless =
    (!isUnavailable && SOUNDLESS.includes(type) && !TOUCHES.includes(unsupported?.type ?? '')) ||
    (type === 'document' && hasNoSound(document?.mime_type ?? ''))
  return {
    id,
    sender,
    text: textOf(message.data) ?? (file ?? image)?.caption ?? null,
    media: file && !isSoundless ? [mediaOf(file, message.data)] : [],
    ...to,
    ...(context?.id && { quoted: context.id.slice(0, 300).toWellFormed() }),
    ...((context?.forwarded || context?.frequently_forwarded) && { isForwarded: true }),
    ...(context?.from && context.from === message.data.from && { quotesOwn: true }),
    ...(isSoundless ? { isSoundless } : {}),
    ...(isUnavailable ? { isUnavailable } : {}),
    ...(group_id === undefined ? {} : { isInGroup: true }),
    ...(type === 'revoke' && revoke && { revokes: revoke.original_message_id.toWellFormed() }),
    ...(type === 'system' &&
      NUMBER_CHANGED.includes(system?.type ?? '') && { leftFor: system?.wa_id ?? system?.new_wa_id ?? null }),
  }
}

/** Includes the type's older name. */
const NUMBER_CHANGED = ['user_changed_number', 'customer_changed_number']

/** Returns what a person wrote, or the text of the button that they pressed. */
function textOf({ type, text, interactive, button }: Message): string | undefined {
  if (type === 'text') return text?.body
  return type === 'interactive'
    ? interactive?.button_reply.id
    : type === 'button'
      ? button?.payload
      : undefined
}

function senderOf(message: Message, contacts: Contact[]): InboundMessage['sender'] {
  const phone = message.from && /^\+?\d{5,15}$/.test(message.from) ? message.from.replace('+', '') : null
  const contact = contacts.find(({ wa_id, user_id }) =>
    phone ? wa_id === phone : user_id && user_id === message.from_user_id,
  )
  return { channel: 'whatsapp', phone, messengerId: message.from_user_id ?? contact?.user_id ?? null }
}

function mediaOf(file: AttachedFile, { type, timestamp: sentAt = new Date() }: Message): InboundMedia {
  const what = type === 'video' ? 'Video' : file.voice ? 'Voice note' : 'Audio'
  const made = nameFor(what, sentAt, file.mime_type)
  return {
    providerMediaId: file.id,
    fileName: cleanName(file.filename ?? '') || made,
    sha256: file.sha256 ?? null,
  }
}

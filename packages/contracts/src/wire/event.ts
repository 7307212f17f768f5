import { parse, v4, v5 } from 'uuid'
import { z } from 'zod'
import { MESSENGER_NAMES } from '../knowledge/channels.ts'

const EnvelopeShape = z.object({
  /** An event caused by another derives its id (UUIDv5 of cause id and type), so that a repeat is recognizable. */
  id: z.uuid(),
  /** Kebab-case event name, e.g. `media-received`. */
  type: z.string(),
  version: z.int(),
  /** UTC. */
  occurredAt: z.iso.datetime(),
  /** The same for one note, or one request, in every service. */
  traceId: z.string().min(1),
  causeId: z.uuid().nullable(),
})
/** A message on the bus: an event's data, when it happened, and what caused it. */
export type Envelope<Data = unknown> = z.infer<typeof EnvelopeShape> & { data: Data }

/** The messengers that this version knows. */
export const ChatProvider = z.enum(MESSENGER_NAMES)
export type ChatProvider = z.infer<typeof ChatProvider>

/** Origin of a message and address of its answer. Part of the events, so that no service has to look it up. */
export const Source = z.object({
  channel: ChatProvider,
  /** Digits of the number, a WhatsApp user id (`US.1349…`) when it is hidden, or `tg:` and a Telegram id. */
  address: z.string().min(1),
  /** The provider's id of the message to quote. */
  messageId: z.string().min(1),
  /** Meta's id of our number that received it, from which the answer is sent; absent if there is only one number. */
  numberId: z.string().optional(),
  /** Telegram's id of the chat topic that it was sent in; the answer goes there, too. */
  topicId: z.int().optional(),
  /** The account has only claimed the number: the first answer names the account, and the person can answer NO. */
  claimed: z.boolean().optional(),
  /** Language of the person's messenger (IETF tag), if it is known. */
  language: z.string().optional(),
})
export type Source = z.infer<typeof Source>

/** A chat in which messages can be sent. */
export const Chat = Source.pick({ channel: true, address: true, numberId: true, topicId: true })

/** Origin of a note: a message, or a file uploaded on the page (`web`) or by a program with an API key (`api`). */
export const NoteSource = z.discriminatedUnion('channel', [
  Source,
  z.object({ channel: z.enum(['web', 'api']) }),
])
export type NoteSource = z.infer<typeof NoteSource>

/** Returns the message to answer about a note; null if the note did not come by chat. */
export const messageOf = (source: NoteSource): Source | null => ('address' in source ? source : null)

/** Whether a value was refused only because this version does not know it. */
function isOfNewerVersion(issue: z.core.$ZodIssue): boolean {
  if (issue.code === 'invalid_value') return typeof issue.input === 'string'
  if (issue.code !== 'invalid_union' || !issue.discriminator) return false
  return typeof Object(issue.input)[issue.discriminator] === 'string'
}

/** An enumerated field. Receivers read a newer version's value as the neutral one, or as absent (decision 18). */
export function enumerated<Values extends z.ZodType>(
  values: Values,
  ...[neutral]: undefined extends z.output<Values> ? [] : [z.output<Values>]
) {
  const known = (value: unknown) => {
    const { error } = values.safeParse(value, { reportInput: true })
    return error?.issues.every(isOfNewerVersion) ? neutral : value
  }
  return z.codec(z.unknown().optional(), values, {
    decode: value => known(value) as z.input<Values>,
    encode: value => value,
  })
}

export interface EventType<Data> {
  name: string
  version: number
  /** Decodes received data and encodes sent data. */
  schema: z.ZodType<Data>
  /** `<name>.v<version>`, the topic that consumers bind to. */
  routingKey: string
  /** Creates an event that nothing on the bus caused. */
  create(data: Data, origin?: { id?: string; traceId?: string }): Envelope<Data>
  /** Creates an event caused by another. Its id is always the same; `discriminator` distinguishes several of a type. */
  causedBy(cause: Pick<Envelope, 'id' | 'traceId'>, data: Data, discriminator?: string): Envelope<Data>
  /** Checks an incoming message, removes unknown fields, replaces unknown values (`enumerated`). Throws a ZodError. */
  parse(message: unknown): Envelope<Data>
}

// Our own random namespace (RFC 9562, section 6.6): derived ids never collide with those of other systems.
const DERIVED = parse('6f1d7a2e-3c54-4c0b-9a4e-5d6b1f0c8e21')
const UTF8 = new TextEncoder()

/** Returns the UUID derived from these values, which is always the same. */
export const derivedId = (...parts: string[]): string => v5(UTF8.encode(parts.join('\n')), DERIVED)

/** Drops fields that are undefined: a database would store them as null, which no schema accepts. */
const plain = (value: unknown) => JSON.parse(JSON.stringify(value))

/** Defines an event by its kebab-case name and the fields of its data. */
export function event<Fields extends z.ZodRawShape>(
  name: string,
  fields: Fields,
  version = 1,
): EventType<z.output<z.ZodObject<Fields>>> {
  const schema = z.object(fields)
  const type = { type: name, version }
  const Message = EnvelopeShape.extend({ type: z.literal(name), version: z.literal(version), data: schema })
  const occurredAt = () => new Date().toISOString()
  const checked = (data: z.output<typeof schema>) => plain(schema.encode(data))
  return {
    name,
    version,
    schema,
    routingKey: `${name}.v${version}`,
    create: (data, origin = {}) => ({
      id: origin.id ?? v4(),
      ...type,
      occurredAt: occurredAt(),
      traceId: origin.traceId ?? v4(),
      causeId: null,
      data: checked(data),
    }),
    causedBy: (cause, data, discriminator = '') => ({
      id: derivedId(cause.id, name, discriminator),
      ...type,
      occurredAt: occurredAt(),
      traceId: cause.traceId,
      causeId: cause.id,
      data: checked(data),
    }),
    parse: message => plain(Message.parse(message)),
  }
}

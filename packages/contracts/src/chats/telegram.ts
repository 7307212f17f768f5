import { z } from 'zod'
import {
  type ChatExport,
  ChatUnreadable,
  createFileNames,
  createPeople,
  isRecording,
  MESSAGE_MAX,
  MESSAGES_MAX,
  type ReadChat,
  type ReadMessage,
} from './chat.ts'
import { createClock } from './clock.ts'

const Piece = z.union([z.string(), z.object({ text: z.string().default('') })])
const Id = z.union([z.string(), z.number()])

/** A message of Telegram's export format (core.telegram.org/import-export). */
const Message = z.object({
  type: z.string(),
  date: z.string().nullish(),
  date_unixtime: Id.nullish(),
  from: z.string().nullish(),
  from_id: Id.nullish(),
  actor: z.string().nullish(),
  action: z.string().nullish(),
  text: z.union([z.string(), z.array(Piece)]).nullish(),
  photo: z.string().nullish(),
  file: z.string().nullish(),
  media_type: z.string().nullish(),
  edited: z.string().nullish(),
  edited_unixtime: z.string().nullish(),
})
type Message = z.infer<typeof Message>

const Chat = z.object({ type: z.string(), messages: z.array(z.unknown()) })
const WholeExport = z.object({ chats: z.object({ list: z.array(z.unknown()) }) })

const RECORDED = ['voice_message', 'audio_file']
/** Matches "(File not included. Change data exporting settings to download.)" and "(File exceeds maximum size. …)". */
const NOT_INCLUDED = /^\(File [^\n]*\)$/

/** Reads the `result.json` of one chat. Throws ChatUnreadable. */
export function readTelegram({ text, files, timeZone }: ChatExport): ReadChat {
  const written = messagesIn(text)
  const { people, of } = createPeople()
  const fileOf = createFileNames(files)
  const instant = createClock(timeZone)
  const messages = written.map((value, index): ReadMessage => {
    const message = Message.safeParse(value).data
    const at = message && timeOf(message, instant)
    if (at === undefined) throw new ChatUnreadable('chat_unknown', lineOf(text, index))
    const content = textOf(message!)
    if (content.length > MESSAGE_MAX) throw new ChatUnreadable('message_long', lineOf(text, index))
    return { at, ...contentOf(message!, content, of, fileOf) }
  })
  return { people, messages, dayFirst: null, ambiguous: false }
}

function messagesIn(text: string): unknown[] {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new ChatUnreadable('chat_unknown')
  }
  if (WholeExport.safeParse(value).success) throw new ChatUnreadable('chats_many')
  const messages = Chat.safeParse(value).data?.messages
  if (!messages) throw new ChatUnreadable('chat_unknown')
  if (!messages.length) throw new ChatUnreadable('chat_empty')
  if (messages.length > MESSAGES_MAX) throw new ChatUnreadable('messages_many')
  return messages
}

/** Returns the line on which a message begins in Telegram's layout; 1 if the text is laid out differently. */
function lineOf(text: string, index: number): number {
  let left = index
  const lines = text.split('\n')
  const found = lines.findIndex(line => /^ {2}[^\s}]/.test(line) && left-- === 0)
  return found + 1 || 1
}

function timeOf(
  { date, date_unixtime: unix }: Message,
  instant: (wall: number) => number,
): number | undefined {
  if (unix && /^\d{1,11}$/.test(String(unix))) return Number(unix) * 1000
  const wall = Date.parse(`${date}Z`)
  return Number.isFinite(wall) ? instant(wall) : undefined
}

const textOf = ({ text }: Message): string =>
  !text || typeof text === 'string'
    ? (text ?? '')
    : text.map(piece => (typeof piece === 'string' ? piece : piece.text)).join('')

function contentOf(
  message: Message,
  text: string,
  personOf: (key: string, name: string) => number,
  fileOf: ReturnType<typeof createFileNames>,
): Omit<ReadMessage, 'at'> {
  const { type, from, from_id: id, actor, action, media_type: media } = message
  if (type !== 'message') {
    const notice = [actor, action?.replaceAll('_', ' '), text].filter(Boolean).join(': ')
    return { person: null, kind: 'system', text: notice, edited: false, file: null }
  }
  const name = from?.slice(0, 200) || 'Deleted Account'
  const person = personOf(String(id ?? name).slice(0, 200), name)
  const edited = Boolean(message.edited ?? message.edited_unixtime)
  const written = message.file ?? message.photo
  if (!written) return { person, kind: 'text', text, edited, file: null }
  if (NOT_INCLUDED.test(written))
    return { person, kind: 'file', text, edited, file: { name: null, omitted: true } }
  const isNote = media ? RECORDED.includes(media) : isRecording(written)
  return {
    person,
    kind: isNote ? 'note' : 'file',
    text,
    edited,
    file: { name: fileOf(written) ?? written, omitted: false },
  }
}

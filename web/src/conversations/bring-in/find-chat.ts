import { type ChatExport, ChatUnreadable, type ReadChat } from '@voxscribe/contracts/chat'
import { CHAT_BYTES_MAX, TITLE_MAX } from '@voxscribe/contracts/limits'
import { readChat } from '@voxscribe/contracts/read-chat'
import { REFUSALS } from '@voxscribe/contracts/refusals'
import { i18n } from '../../language/i18n.ts'
import { megabytes } from '../../ui/figures.ts'
import { type ExportFile, unreadable } from './open-export.ts'

/** A chat's text as it is sent, and what was read from it. */
export interface Chat {
  source: ChatExport['source']
  name: string
  text: string
  timeZone: string
  /** The export's files, by name relative to the folder of the chat's text. */
  files: Map<string, ExportFile>
  read: ReadChat
}

const base = (name: string) => name.slice(name.lastIndexOf('/') + 1)

/** Names of a chat's text; the first pattern that matches decides. Other texts may be documents that someone sent. */
const TEXTS = [/^_chat\.txt$/i, /^result\.json$/i, /whatsapp.*\.txt$/i, /\.txt$/i, /\.json$/i]

/** Finds the chat of an export. `exportName`: the name of the chosen file or folder. Rejects with an `ApiError`. */
export async function findChat(files: ExportFile[], exportName: string, signal: AbortSignal): Promise<Chat> {
  const texts = TEXTS.map(like => files.filter(({ name }) => like.test(base(name)))).find(
    fitting => fitting.length,
  )
  if (!texts) throw noChatIn(files)
  if (texts.length === 1) return chatIn(texts[0]!, files, exportName, signal)
  const chats: Chat[] = []
  for (const text of texts) {
    const chat = await chatIn(text, files, exportName, signal).catch(() => null)
    signal.throwIfAborted()
    if (chat) chats.push(chat)
    if (chats.length > 1)
      throw unreadable(i18n.t('There are several chats in it. Please unpack it, and bring in one at a time.'))
  }
  if (!chats[0]) throw noChatIn(files)
  return chats[0]
}

async function chatIn(
  file: ExportFile,
  all: ExportFile[],
  exportName: string,
  signal: AbortSignal,
): Promise<Chat> {
  const text = await textOf(file, signal)
  const source = /\.json$/i.test(file.name) ? 'telegram' : 'whatsapp'
  const folder = file.name.slice(0, -base(file.name).length)
  const siblings = all.filter(other => other !== file && other.name.startsWith(folder))
  const files = new Map(siblings.map(other => [other.name.slice(folder.length), other]))
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()
  const chat = { source, text, timeZone, files } as const
  const read = readAs(chat)
  return { ...chat, name: nameOf(chat, exportName, read).slice(0, TITLE_MAX), read }
}

/** Reads a chat. `dayFirst`: the order in dates that can be read two ways. Throws an `ApiError`. */
export function readAs(chat: Omit<Chat, 'read' | 'name'>, dayFirst?: boolean): ReadChat {
  try {
    return readChat({ ...chat, files: [...chat.files.keys()], dayFirst })
  } catch (error) {
    if (!(error instanceof ChatUnreadable)) throw error
    throw unreadable(sentenceOf(error))
  }
}

function sentenceOf({ reason, line }: ChatUnreadable): string {
  if (reason === 'chat_empty') return i18n.t(REFUSALS.chat_empty.text)
  if (reason === 'chats_many') return i18n.t('There are several chats in it. Please export one chat alone.')
  return i18n.t('The chat can’t be read: line {line} is not as WhatsApp or Telegram write it.', { line })
}

async function textOf({ bytes, read }: ExportFile, signal: AbortSignal): Promise<string> {
  if (bytes > CHAT_BYTES_MAX)
    throw unreadable(
      i18n.t('The text of this chat is larger than {size}.', { size: megabytes(CHAT_BYTES_MAX) }),
    )
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  let text = ''
  await read(piece => {
    text += decoder.decode(piece, { stream: true })
  }, signal)
  return text + decoder.decode()
}

/** Names a chat. All exports of a chat get the same name, which matches a later one to it. */
function nameOf({ source, text }: Pick<Chat, 'source' | 'text'>, exportName: string, { people }: ReadChat) {
  if (source === 'telegram') {
    const { name } = JSON.parse(text.replace(/^\ufeff/, ''))
    if (typeof name === 'string' && name.trim()) return name.trim()
  }
  const plain = base(exportName.replace(/\.(zip|txt|json)$/i, ''))
    .replace(/ ?\(\d+\)$/, '')
    .replace(/^.*?(whatsapp|واتساب).*? (with|con|com|avec|mit|dengan|مع|-) /i, '')
    .replace(/ के साथ whatsapp.*$/i, '')
    .trim()
  return plain && !/^(_chat|result|whatsapp chat)$/i.test(plain)
    ? plain
    : people.map(({ name }) => name).join(', ')
}

function noChatIn(files: ExportFile[]) {
  const inner = files.find(({ name }) => /\.zip$/i.test(name))
  if (inner)
    return unreadable(
      i18n.t('Another ZIP is in this one ({name}). Please unpack it once, and choose the inner one.', {
        name: base(inner.name),
      }),
    )
  if (files.some(({ name }) => /^messages\d*\.html$/i.test(base(name))))
    return unreadable(
      i18n.t('This Telegram export is made of web pages. Please export the chat again as JSON.'),
    )
  return unreadable(
    i18n.t('There is no chat in it. Expected a chat that WhatsApp exported, or Telegram’s result.json.'),
  )
}

import { readFileSync } from 'node:fs'
import { configure, TextReader, Uint8ArrayWriter, ZipWriter } from '@zip.js/zip.js/lib/zip-core-native.js'
import type { FileAt } from '../../upload/chat-exports.ts'
import { findChat } from './find-chat.ts'
import { openExport } from './open-export.ts'
import { costOf, countMissing, type Recording, recordingsOf, scanExport } from './scan-export.ts'

configure({ useWebWorkers: false })

const fixture = (name: string) => readFileSync(`packages/contracts/src/chats/fixtures/${name}`, 'utf8')
const CHAT = fixture('files.txt')
const { signal } = new AbortController()

async function zip(files: Record<string, string>, { password = '', name = 'Chat.zip' } = {}): Promise<File> {
  const writer = new ZipWriter(new Uint8ArrayWriter(), { ...(password && { password }) })
  for (const [path, text] of Object.entries(files))
    await writer.add(path, new TextReader(text), { level: path.endsWith('.txt') ? 5 : 0, ...SAME })
  return new File([await writer.close()], name)
}
/** Like messengers: no name is validated. */
const SAME = { filenameValidation: 'tolerant' } as object

const at = (file: File): FileAt => ({ path: file.name, file })
async function looked(...files: FileAt[]) {
  const opened = await openExport(files, signal)
  return scanExport(await findChat(opened, files[0]!.path, signal), () => {}, signal)
}

test('when a ZIP is read, then its chat, files, recordings and what it lacks are known', async () => {
  const inZip = {
    'WhatsApp Chat with Ewan/WhatsApp Chat with Ewan.txt': CHAT,
    'WhatsApp Chat with Ewan/PTT-20250817-WA0001.opus': 'one',
    'WhatsApp Chat with Ewan/PTT-20250817-WA0002.opus': 'one',
    'WhatsApp Chat with Ewan/vCard of Hattie.vcf': 'card',
    '__MACOSX/._x': 'nothing',
  }
  const found = await looked(at(await zip(inZip, { name: 'WhatsApp Chat with Ewan (1).zip' })))
  expect(found.chat).toMatchObject({ source: 'whatsapp', name: 'Ewan', text: CHAT })
  expect(found.files).toEqual([
    {
      name: 'PTT-20250817-WA0001.opus',
      bytes: 3,
      sha256: '7692c3ad3540bb803c020b3aee66cd8887123234ea0c6e7143c0add73ff431ed',
    },
    expect.objectContaining({ name: 'PTT-20250817-WA0002.opus' }),
    expect.objectContaining({ name: 'vCard of Hattie.vcf' }),
  ])
  expect(recordingsOf(found).map(({ file }) => file)).toEqual([
    'PTT-20250817-WA0001.opus',
    'PTT-20250817-WA0002.opus',
  ])
  expect(countMissing(found)).toBe(5)
})

test('when a folder or a text alone is read, then it is the same chat', async () => {
  const folder = ['result.json', 'voice_messages/audio_1@14-03-2025_08-02-30.ogg'].map(path => ({
    path: `ChatExport/${path}`,
    file: new File([path === 'result.json' ? fixture('telegram-personal.json') : 'sound'], path),
  }))
  const telegram = await looked(...folder)
  expect(telegram.chat).toMatchObject({ source: 'telegram', name: 'Vera Lindgren' })
  expect(recordingsOf(telegram)).toHaveLength(1)
  const alone = await looked(at(new File([CHAT], '_chat.txt')))
  expect(alone.chat.name).toBe('Hattie, Ewan')
})

test.each([
  'WhatsApp Chat - Zoë.zip',
  'WhatsApp Chat with Zoë (2).zip',
  'Chat de WhatsApp con Zoë.zip',
  'Conversa do WhatsApp com Zoë.zip',
  'Discussion WhatsApp avec Zoë.zip',
  'WhatsApp-Chat mit Zoë.zip',
  'Chat WhatsApp con Zoë.zip',
  'Chat WhatsApp dengan Zoë.zip',
  'Zoë के साथ WhatsApp चैट.zip',
  'دردشة واتساب مع Zoë.zip',
])('when a ZIP is called %s, then the chat has the name in it', async name => {
  expect((await looked(at(await zip({ '_chat.txt': CHAT }, { name })))).chat.name).toBe('Zoë')
})

test('when a name is spelled in parts (NFD), then it is the file that the line names', async () => {
  const line = '17/08/2025, 10:00 - Zoë: Zoë.opus (file attached)\n'
  const found = await looked(at(await zip({ '_chat.txt': line, [`${'Zoë'.normalize('NFD')}.opus`]: 'x' })))
  expect([recordingsOf(found).length, countMissing(found)]).toEqual([1, 0])
})

const cut = async (file: File) => new File([file.slice(0, file.size - 30)], file.name)
async function damagedInside() {
  const bytes = new Uint8Array(await (await zip({ '_chat.txt': CHAT })).arrayBuffer())
  bytes.fill(0, 50, 80)
  return new File([bytes], 'Chat.zip')
}
test.each([
  ['has a password', zip({ '_chat.txt': CHAT }, { password: 'x' }), /locked with a password/],
  ['holds another ZIP', zip({ 'a/inner.zip': 'PK' }), /Another ZIP is in this one \(inner\.zip\)/],
  ['is no export', zip({ 'IMG-1.jpg': 'x', 'IMG-2.jpg': 'y' }), /There is no chat in it\. Expected/],
  ['has two chats', zip({ 'a/_chat.txt': CHAT, 'b/_chat.txt': CHAT }), /several chats in it/],
  ['is made of web pages', zip({ 'messages.html': '<p>' }), /Telegram export is made of web pages/],
  [
    'leads out of its folder',
    zip({ '../_chat.txt': CHAT }),
    /name that leads elsewhere \(\.\.\/_chat\.txt\)/,
  ],
  ['names a root', zip({ '/etc/_chat.txt': CHAT }), /name that leads elsewhere/],
  ['is cut off', zip({ '_chat.txt': CHAT }).then(cut), /damaged, or its download broke off/],
  ['is damaged inside', damagedInside(), /damaged, or its download broke off/],
  ['is no ZIP', Promise.resolve(new File(['Rar!'], 'Chat.zip')), /damaged, or its download broke off/],
  ['is no chat', zip({ '_chat.txt': 'Dear Ann,\nhello' }), /line 1 is not as WhatsApp or Telegram write it/],
  ['is empty', zip({ 'result.json': '{"type":"personal_chat","messages":[]}' }), /no messages in this chat/],
  ['has a whole account', zip({ 'result.json': '{"chats":{"list":[]}}' }), /export one chat alone/],
])('when a ZIP %s, then a sentence says so', async (_, made, sentence) => {
  await expect(looked(at(await made))).rejects.toThrow(sentence)
})

test('when a ZIP unpacks to more than 4 GB, then nothing of it is read', async () => {
  const bytes = new Uint8Array(await (await zip({ '_chat.txt': CHAT, 'b.txt': '' })).arrayBuffer())
  // The size in the ZIP's directory, where a 32-bit number holds 4 GB minus one byte.
  const view = new DataView(bytes.buffer)
  for (let place = 0; place < bytes.length - 4; place++)
    if (view.getUint32(place, true) === 0x02014b50) view.setUint32(place + 24, 0xfffffffe, true)
  await expect(looked(at(new File([bytes], 'Chat.zip')))).rejects.toThrow(/more than can be read here/)
})

test('when minutes do not suffice, then the newest recordings fit, and the same sound costs once', () => {
  const recording = (file: string, seconds: number | null, sha256 = file): Recording => ({
    file,
    at: Number(file),
    sha256,
    seconds,
  })
  const all = [recording('1', 30), recording('2', 50), recording('3', 60), recording('4', 60, '3')]
  const { minutes, fitting, waiting } = costOf(all, 2)
  expect([minutes, fitting.map(({ file }) => file), waiting]).toEqual([140 / 60, ['4', '3', '2'], 1])
  expect(costOf(all, null).waiting).toBe(0)
})

import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { appendFile, mkdtemp, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { BlobWriter, configure, Uint8ArrayReader, ZipWriter } from '@zip.js/zip.js/lib/zip-core-native.js'
import type { Page } from 'playwright-core'
import {
  faultsIn,
  PHONE,
  screenshot,
  scrollsSideways,
  settled,
  signIn,
  useBrowser,
  WIDE,
} from './testing/browser.ts'
import { eventually } from './testing/eventually.ts'
import { startOneProcess } from './testing/one-process.ts'
import { signUp } from './testing/person.ts'
import { fileWith, recognised, SENTENCE, speechOf, voiceNote, wordsOf } from './testing/speech.ts'

// The import of a chat export, from the chosen ZIP to the text of its voice notes.

configure({ useWebWorkers: false })

const run = promisify(execFile)

const browser = useBrowser(() => startOneProcess())
const PICTURE_BYTES = 2_000_000
/** In the middle of a call; on a fast machine after it, which must have the same result. */
const KILLED_AFTER_MS = 150

const CHAT = [
  '14/03/2025, 21:05 - Ana: Did you read it?',
  '14/03/2025, 21:06 - علي: PTT-20250314-WA0001.opus (file attached)',
  '14/03/2025, 21:07 - Ana: IMG-20250314-WA0002.jpg (file attached)',
  '15/03/2025, 09:00 - Ana: PTT-20250315-WA0003.opus (file attached)',
  '15/03/2025, 09:01 - علي: نعم',
].join('\n')

async function exportOf(files: Record<string, Uint8Array>): Promise<string> {
  const writer = new ZipWriter(new BlobWriter())
  for (const [name, content] of Object.entries(files)) await writer.add(name, new Uint8ArrayReader(content))
  return fileWith('WhatsApp Chat with علي.zip', Buffer.from(await (await writer.close()).arrayBuffer()))
}

const whole = async () =>
  exportOf({
    'WhatsApp Chat with علي.txt': Buffer.from(CHAT),
    'PTT-20250314-WA0001.opus': await readFile(await voiceNote('a.ogg')),
    'IMG-20250314-WA0002.jpg': Buffer.alloc(PICTURE_BYTES, 'x'),
    'PTT-20250315-WA0003.opus': await readFile(await speechOf(12, 'b.ogg')),
  })

/** Records the requests of the page to the API, with the bytes of their bodies. */
function countSent(page: Page) {
  const sent: { path: string; bytes: number }[] = []
  page.on('request', request => {
    const { pathname } = new URL(request.url())
    if (request.method() === 'POST')
      sent.push({ path: pathname, bytes: request.postDataBuffer()?.length ?? 0 })
  })
  return sent
}

async function bringIn(page: Page, zip: string) {
  await page.goto('/conversations')
  await page.getByLabel('Choose an export').setInputFiles(zip)
  await page.getByText(/2 voice notes of these days take/).waitFor()
}

test('when an export is chosen, then it is previewed, imported, interrupted and resumed, and can be read', async () => {
  const person = await signUp(browser.system())
  const page = await browser.open({ viewport: PHONE, hasTouch: true })
  const sent = countSent(page)
  await page.goto('/signin')
  await signIn(page, person)
  await page.waitForURL('**/dashboard')
  const zip = await whole()
  await bringIn(page, zip)
  await settled(page)
  expect([await faultsIn(page), await scrollsSideways(page)]).toEqual([[], false])
  await screenshot(page, 'chat-found-phone')
  expect(sent.filter(({ path }) => /conversations|transcriptions$/.test(path))).toEqual([])

  // The second recording never arrives: the page is closed in between.
  let uploads = 0
  await page.route('**/api/transcriptions', route => (uploads++ ? route.abort() : route.continue()))
  await page.getByRole('button', { name: 'Bring in this chat' }).click()
  await page.getByText('1 of 2 voice notes sent').waitFor()
  page.on('dialog', dialog => void dialog.accept())
  await page.reload()
  // Cut only now, because the closed page may retry once.
  await page.unroute('**/api/transcriptions')
  sent.splice(0)
  await bringIn(page, zip)
  await page.getByRole('button', { name: 'Bring in this chat' }).click()
  await page.getByText('1 of 1 voice note sent').waitFor()
  expect(sent.filter(({ path }) => path.endsWith('/transcriptions'))).toHaveLength(1)
  expect(Math.max(...sent.map(({ bytes }) => bytes))).toBeLessThan(PICTURE_BYTES / 2)

  await page.getByRole('link', { name: 'Open', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: 'علي' }).waitFor()
  await eventually('the voice notes have their words', async () => {
    await page.reload()
    await settled(page)
    return recognised(wordsOf(SENTENCE), (await page.getByRole('main').textContent()) ?? '') > 0.7
  })
  for (const row of ['About this chat', 'People']) await page.getByText(row, { exact: true }).click()
  // Safari on iPhones zooms into fields with smaller letters.
  const letters = await page
    .locator('main :is(input, select)')
    .evaluateAll(all => all.map(field => Number.parseFloat(getComputedStyle(field).fontSize)))
  expect(Math.min(...letters)).toBeGreaterThanOrEqual(16)
  await page.getByRole('combobox', { name: 'You in this chat' }).selectOption('Ana')
  await page.getByRole('button', { name: 'Play the voice note of علي' }).click()
  await page.getByRole('button', { name: 'Pause the voice note of علي' }).waitFor()
  await screenshot(page, 'chat-read-phone')
  expect([await faultsIn(page), await scrollsSideways(page)]).toEqual([[], false])
  await page.setViewportSize(WIDE)
  await screenshot(page, 'chat-read-wide')

  // An opened chat can be read offline.
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
  await page.reload()
  await page.getByText('نعم').waitFor()
  await page.context().setOffline(true)
  await page.reload()
  await page.getByText(/^You’re offline/).waitFor()
  await page.getByText('نعم').waitFor()
  await page.getByRole('heading', { level: 1, name: 'علي' }).waitFor()
  await page.context().setOffline(false)
  browser.forgive()
  await page.goto('/conversations')
  await settled(page)
  await screenshot(page, 'chats-wide')
  // The recipe for a lawyer's bundle in docs/recipes.md.
  const key = (await person.http.post('/keys', { name: 'bundle', scopes: ['read'] })).data.data.secret
  const { id } = (await person.http.get('/conversations')).data.data.conversations[0]
  const place = await mkdtemp(join(browser.system().dataDir, 'bundle-'))
  const url = `${browser.system().appUrl}/api/conversations/${id}/export?format=zip&certified=on`
  await run('curl', ['-fsS', '-H', `Authorization: Bearer ${key}`, '-o', 'chat.zip', url], { cwd: place })
  await run('unzip', ['-q', 'chat.zip', '-d', 'chat'], {
    cwd: place,
    env: { ...process.env, LC_ALL: 'C.UTF-8' },
  })
  const verify = () => run('sha256sum', ['-c', 'SHA256SUMS'], { cwd: join(place, 'chat') })
  const lines = (await verify()).stdout.trim().split('\n')
  expect(lines).toContain('chat.txt: OK')
  expect(lines.filter(line => line.endsWith('.opus: OK'))).toHaveLength(2)
  await appendFile(join(place, 'chat', 'chat.txt'), '.')
  await expect(verify()).rejects.toMatchObject({ stdout: expect.stringContaining('chat.txt: FAILED') })
})

test('when a chat has 20,000 messages, then few are rendered, and the last one can be reached', async () => {
  const person = await signUp(browser.system())
  const text = Array.from({ length: 20_000 }, (_, n) => {
    const day = String(1 + Math.floor(n / 1_000)).padStart(2, '0')
    return `${day}/03/2025, 10:00 - ${n % 2 ? 'Ana' : 'Bo'}: message ${n + 1}`
  }).join('\n')
  const made = await person.http.post('/conversations', { source: 'whatsapp', name: 'Long', text })
  const page = await browser.open({ viewport: PHONE })
  await page.goto('/signin')
  await signIn(page, person)
  await page.waitForURL('**/dashboard')
  await page.goto(`/conversations/${made.data.data.conversation.id}`)
  await page.getByText('message 1', { exact: true }).waitFor()
  const last = page.getByText('message 20000', { exact: true })
  await eventually('the last message is in sight', async () => {
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
    return last.isVisible()
  })
  expect(await page.getByRole('article').count()).toBeLessThan(60)
  expect(await scrollsSideways(page)).toBe(false)
})

test('when the process is killed during the import of a chat, then it continues, and nothing is there twice', async () => {
  const system = browser.system()
  const person = await signUp(system)
  const lines = Array.from({ length: 60_000 }, (_, n) => `14/03/2025, 21:05 - Ana: message ${n + 1}`)
  const name = 'PTT-20250314-WA0001.opus'
  const text = [`14/03/2025, 21:04 - Bo: ${name} (file attached)`, ...lines].join('\n')
  const recording = await readFile(await voiceNote('killed.ogg'))
  const bringIn = () =>
    person.http.post('/conversations', {
      source: 'whatsapp',
      name: 'Ana',
      text,
      files: [
        { name, bytes: recording.length, sha256: createHash('sha256').update(recording).digest('hex') },
      ],
    })
  const send = (conversation: string) => {
    const form = new FormData()
    form.append('conversation', conversation)
    form.append('conversationFile', name)
    form.append('file', new Blob([recording]), name)
    return person.http.post('/transcriptions', form)
  }
  const broken = bringIn().catch(() => null)
  await new Promise(resolve => setTimeout(resolve, KILLED_AFTER_MS))
  await system.kill()
  await broken
  await system.start()
  const { conversation } = (await bringIn()).data.data
  expect([conversation.messages, conversation.notes.length]).toEqual([60_001, 1])

  const lost = send(conversation.id).catch(() => null)
  await new Promise(resolve => setTimeout(resolve, KILLED_AFTER_MS))
  await system.kill()
  await lost
  await system.start()
  const [first, again] = [await send(conversation.id), await send(conversation.id)]
  expect(again.data.data.transcription.id).toBe(first.data.data.transcription.id)
  const listed = await person.http.get('/conversations')
  expect(listed.data.data.conversations).toHaveLength(1)
  const notes = await person.http.get(`/transcriptions?conversation=${conversation.id}`)
  expect(notes.data.data.transcriptions).toHaveLength(1)
})

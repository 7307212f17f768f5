import { readFile } from 'node:fs/promises'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { NARROW, PHONE, seriousFaults, settled, signIn, useBrowser } from './testing/browser.ts'
import { startCountingEngine } from './testing/counting-engine.ts'
import { startOneProcess } from './testing/one-process.ts'
import { signUp } from './testing/person.ts'
import { voiceNote } from './testing/speech.ts'

describe('a transcript in the browser', () => {
  let engine: Awaited<ReturnType<typeof startCountingEngine>>
  let page: Page
  const start = async () => {
    engine = await startCountingEngine(0)
    return startOneProcess(engine.settings)
  }
  const { system, open } = useBrowser(start, { lossy: true })
  afterAll(() => engine?.stop())

  const button = (name: string) => page.getByRole('button', { name })
  /** Opens the page of a new person's only note. */
  async function openNote(options: BrowserContextOptions = {}) {
    page = await open(options)
    const person = await signUp(system())
    await person.sendText(`My link code is ${person.user.link_code}`)
    await person.sendNote(await voiceNote(), { voice: true })
    const [note] = await person.ended(1)
    const address = `/transcriptions/${note?.id}`
    await page.goto(address)
    await page.waitForURL('**/signin')
    await signIn(page, person)
    await page.waitForURL(`**${address}`)
    return { person, address, id: note?.id ?? '' }
  }

  test('when a note is long, then only passages near the window are editable; the last is saved', async () => {
    // What the service worker fetches can't be replaced.
    const { id } = await openNote({ serviceWorkers: 'block' })
    // Pretends to have many passages; the server has only the first.
    const passages = 500
    const last = { id: 'last', text: 'The end of a long story.' }
    await page.route(`**/api/transcriptions/${id}`, async route => {
      if (route.request().method() === 'PATCH') last.text = route.request().postDataJSON().segments[0].text
      const { data } = await (await route.fetch({ method: 'GET', postData: '' })).json()
      const [first] = data.transcription.segments
      const more = Array.from({ length: passages }, (_, n) => ({ ...first, id: `copy ${n}` }))
      data.transcription.segments = [...more, { ...first, ...last, words: undefined }]
      await route.fulfill({ json: { success: true, data } })
    })
    await page.reload()
    // Not by role: that is slow with many elements.
    const rows = page.locator('section[aria-label=Transcript] li')
    const end = rows.nth(passages)
    await page.locator('button[aria-label="Correct the text"]').click()
    await end.waitFor()
    const fields = page.locator('[data-segment]')
    await fields.first().waitFor()
    expect(await fields.count()).toBeLessThan(passages / 3)
    await end.scrollIntoViewIfNeeded()
    await end.locator('textarea').fill('The very end.')
    await end.locator('textarea').press('Enter')
    await page.locator('[role=status]', { hasText: 'Saved' }).waitFor()
    expect(last.text).toBe('The very end.')
    expect(await fields.count()).toBeLessThan(passages / 3)
  })

  /** Lines of the text that are in sight, above the actions. */
  const linesInSight = () =>
    page.evaluate(() => {
      const actions = [...document.querySelectorAll('button')].find(one => one.textContent === 'Copy')
      const end = actions?.getBoundingClientRect().top ?? 0
      const range = document.createRange()
      const tops = new Set<number>()
      for (const text of document.querySelectorAll('section[aria-label=Transcript] li p')) {
        range.selectNodeContents(text)
        for (const line of range.getClientRects()) if (line.bottom < end) tops.add(Math.round(line.top / 10))
      }
      return { lines: tops.size, actionsAt: end / window.innerHeight }
    })

  test.each([PHONE, NARROW])(
    'when a phone opens a long note, then 8 lines of it are in sight (%o)',
    async viewport => {
      const { id } = await openNote({ viewport, serviceWorkers: 'block' })
      await page.route(`**/api/transcriptions/${id}`, async route => {
        const { data } = await (await route.fetch()).json()
        const [first] = data.transcription.segments
        data.transcription.segments = Array.from({ length: 40 }, (_, n) => ({ ...first, id: `copy ${n}` }))
        await route.fulfill({ json: { success: true, data } })
      })
      await page.reload()
      await settled(page)
      const { lines, actionsAt } = await linesInSight()
      expect(lines).toBeGreaterThanOrEqual(8)
      expect(actionsAt).toBeGreaterThan(0.4)
      await button('More actions').click()
      await button('Text (TXT)').waitFor()
      expect(await seriousFaults(page)).toEqual([])
    },
  )

  /** As the browser does it for an installed app, and as any web site can: a navigation by POST. */
  const postTo = async (address: string, name: string) => {
    const content = await readFile(await voiceNote(name), 'base64')
    const fill = (parts: { address: string; name: string; content: string }) => {
      const form = document.createElement('form')
      Object.assign(form, { method: 'POST', action: parts.address, enctype: 'multipart/form-data' })
      const input = Object.assign(document.createElement('input'), { type: 'file', name: 'files' })
      const files = new DataTransfer()
      const bytes = Uint8Array.from(atob(parts.content), letter => letter.charCodeAt(0))
      files.items.add(new File([bytes], parts.name, { type: 'audio/ogg' }))
      input.files = files.files
      form.append(input)
      document.body.append(form)
      form.submit()
    }
    await page.evaluate(fill, { address, name, content })
  }
  const shared = () => page.getByRole('list', { name: 'Shared files' })
  const signOut = async () => {
    await page.getByRole('button', { name: 'Ada', exact: true }).click()
    await page.getByRole('button', { name: 'Log Out' }).click()
    await page.waitForURL('**/signin')
  }

  test('when a phone shares a recording, then it is transcribed on request, also after signing in', async () => {
    const { person } = await openNote({ viewport: PHONE })
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
    await page.evaluate(() => localStorage.clear())
    await postTo('/share', 'PTT ünï 🎉.ogg')
    await page.waitForURL('**/signin')
    await page.getByText(/^Your file is waiting\./).waitFor()
    await signIn(page, person)
    await page.waitForURL('**/transcription-history')
    await shared().getByText('PTT ünï 🎉.ogg').waitFor()
    expect(await seriousFaults(page)).toEqual([])
    expect((await person.transcriptions()).statistics.total).toBe(1)
    await shared().getByRole('button', { name: 'Transcribe' }).click()
    await page.getByText('1 of 1 file transcribed').waitFor()
    await shared().waitFor({ state: 'detached' })
  })

  test('when another site posts a file, then nothing is sent, and signing out deletes it', async () => {
    const { person } = await openNote()
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
    await page.goto('about:blank')
    await postTo(`${system().appUrl}/share`, 'planted.ogg')
    await page.waitForURL('**/transcription-history')
    await shared().getByText('planted.ogg').waitFor()
    expect((await person.transcriptions()).statistics.total).toBe(1)
    await signOut()
    for (const next of [await signUp(system()), person]) {
      await signIn(page, next)
      await page.waitForURL('**/dashboard')
      await settled(page)
      await page.getByRole('button', { name: 'Choose files' }).waitFor()
      expect(await shared().count()).toBe(0)
      if (next !== person) await signOut()
    }
  })
})

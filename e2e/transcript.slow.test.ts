import { readFile } from 'node:fs/promises'
import type { BrowserContextOptions, Page } from 'playwright-core'
import {
  faultsIn,
  PHONE,
  SMALL_PHONE,
  screenshot,
  scrollsSideways,
  settled,
  signIn,
  TABLET,
  useBrowser,
  WIDE,
} from './testing/browser.ts'
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
    // Responses to a service worker can't be replaced.
    const { id } = await openNote({ serviceWorkers: 'block' })
    // Adds passages to the response; the server has only the first one.
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
    // A search by role is slow with many elements.
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

  /** Returns the visible lines of text (between the header and a phone's actions), and the first one's position. */
  const linesInSight = () =>
    page.evaluate(() => {
      const actions = [...document.querySelectorAll('button')].find(one => one.textContent === 'Copy')
      const dock = actions?.getBoundingClientRect().top ?? 0
      const end = dock > window.innerHeight / 2 ? dock : window.innerHeight
      const range = document.createRange()
      const tops = new Set<number>()
      for (const text of document.querySelectorAll('section[aria-label=Transcript] li p')) {
        range.selectNodeContents(text)
        for (const line of range.getClientRects()) if (line.bottom < end) tops.add(Math.round(line.top / 10))
      }
      return { lines: tops.size, begins: Math.min(...tops) * 10, actionsAt: dock / window.innerHeight }
    })
  /** A text model's summary. */
  const made = { language: 'en', model: 'm', at: '2026-11-20T10:00:00.000Z', stale: false }
  const gist = {
    ...made,
    lines: [
      'The season of light is told of at length, and more than once.',
      'Nothing was decided.',
      'All went home.',
    ],
    tasks: [
      { text: 'Bring a lamp', due: '2026-12-01' },
      { text: 'Call Ben', due: null },
    ],
  }

  /** Returns the text's indentation, the gap between two passages, and whether the tabs are in one row. */
  const placesOfPassages = () =>
    page.evaluate(() => {
      const placeOf = (found: Element | null | undefined) => found?.getBoundingClientRect() ?? new DOMRect()
      const [first, second] = document.querySelectorAll('section[aria-label=Transcript] li p')
      const views = [...document.querySelectorAll('fieldset[aria-label=View] button')].map(placeOf)
      return {
        fromEdge: placeOf(first).left - placeOf(document.querySelector('main a')).left,
        between: placeOf(second).top - placeOf(first).bottom,
        isOneRow: Math.max(...views.map(({ top }) => top)) < Math.min(...views.map(({ bottom }) => bottom)),
      }
    })

  test.each([
    ['dark', PHONE, { gist }],
    ['light', SMALL_PHONE, { gist, confidenceScore: 0.3 }],
    ['light', TABLET, { gist }],
    ['dark', WIDE, { gist, confidenceScore: 0.3, title: `${'word '.repeat(39)}word`, titleFrom: 'person' }],
    ['light', PHONE, { tags: Array.from({ length: 10 }, (_, at) => `etiqueta-muy-larga-${at}`) }],
  ] as const)(
    'when a long note is opened, then its text is visible (%s, %j, case %#)',
    async (colorScheme, viewport, more) => {
      const { id } = await openNote({ viewport, colorScheme, serviceWorkers: 'block' })
      await page.route('**/api/config', async route => {
        const { data } = await (await route.fetch()).json()
        await route.fulfill({ json: { success: true, data: { ...data, textModel: true } } })
      })
      await page.route(`**/api/transcriptions/${id}`, async route => {
        const { data } = await (await route.fetch()).json()
        const [first] = data.transcription.segments
        const text =
          'It was the season of light, and all that was said of it was said again by those who had not heard.'
        data.transcription.segments = Array.from({ length: 60 }, (_, n) => ({
          ...first,
          id: `copy ${n}`,
          words: undefined,
          text,
          from: n * 8 + (n % 4 ? 0 : 2),
          to: n * 8 + 8,
        }))
        Object.assign(data.transcription, more)
        await route.fulfill({ json: { success: true, data } })
      })
      await page.reload()
      await settled(page)
      await screenshot(page, `long-note-${colorScheme}-${viewport.width}-${Object.keys(more).join('-')}`)
      const { lines, begins, actionsAt } = await linesInSight()
      if (viewport === WIDE) expect(begins).toBeLessThan(300)
      else if (viewport !== TABLET) expect(actionsAt).toBeGreaterThan(0.4)
      expect(lines).toBeGreaterThanOrEqual(viewport === WIDE ? 12 : viewport === SMALL_PHONE ? 4 : 8)
      const { fromEdge, between, isOneRow } = await placesOfPassages()
      expect(Math.abs(fromEdge)).toBeLessThanOrEqual(1)
      expect(between).toBeGreaterThanOrEqual(10)
      expect(isOneRow).toBe(true)
      const copied = await page.evaluate(() => {
        const selection = getSelection()!
        selection.selectAllChildren(document.querySelector('section[aria-label=Transcript] ol')!)
        const text = String(selection)
        selection.removeAllRanges()
        return text
      })
      expect(copied).toMatch(/^It was the season/)
      expect(copied).not.toMatch(/Play from|\d/)
      await page.emulateMedia({ media: 'print' })
      const pressed = page.getByRole('button', { name: /Correct|Copy|More actions|Line by line/ })
      expect(await pressed.filter({ visible: true }).count()).toBe(0)
      expect(await page.locator('header, footer, details').filter({ visible: true }).count()).toBe(0)
      expect(await page.locator('section[aria-label=Transcript]').isVisible()).toBe(true)
      await page.emulateMedia({ media: 'screen' })
      await button('More actions').click()
      const last = page.getByRole('button', { name: 'Delete', exact: true })
      const menu = await button('Rename').locator('xpath=../..').boundingBox()
      expect(menu?.y).toBeGreaterThanOrEqual(0)
      expect((menu?.y ?? 0) + (menu?.height ?? 0)).toBeLessThanOrEqual(viewport.height)
      await last.scrollIntoViewIfNeeded()
      await screenshot(page, `menu-${colorScheme}-${viewport.width}-${Object.keys(more).join('-')}`)
      expect(await faultsIn(page)).toEqual([])
      expect(await scrollsSideways(page)).toBe(false)
    },
  )

  /** Navigates by POST, as browsers do for an installed app, and as any web site can. */
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
    expect(await faultsIn(page)).toEqual([])
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

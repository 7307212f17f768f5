import type { Page } from 'playwright-core'
import {
  faultsIn,
  PHONE,
  SMALL_PHONE,
  screenshot,
  scrollsSideways,
  settled,
  signIn,
  useBrowser,
  WIDE,
} from './testing/browser.ts'
import { startCountingEngine } from './testing/counting-engine.ts'
import { startOneProcess } from './testing/one-process.ts'
import { type Person, signUp } from './testing/person.ts'
import { voiceNote } from './testing/speech.ts'

const HOURS = 3
/** Passages of the long note: more than a window shows. The search for faults takes time for each element. */
const PASSAGES = 60
const manyTags = Array.from({ length: 40 }, (_, at) => `etiqueta-bastante-larga-${at}`)

/** Unusual values of a note's fields. */
const STRANGE: Record<string, object> = {
  'a title without a space': { title: 'x'.repeat(500), titleFrom: 'person' },
  'a title of emoji': { title: '👨‍👩‍👧‍👦🎉'.repeat(60), titleFrom: 'person' },
  'right to left': {
    title: 'مرحبا بكم في الاجتماع (3) مع Ben',
    titleFrom: 'person',
    language: 'ar',
    text: 'نعم، غدا.',
  },
  'left to right': { title: 'Meeting (3) with نورا', titleFrom: 'person', text: 'Yes, tomorrow.' },
  'forty tags': { tags: manyTags },
  'one word': { text: 'Sim.', title: 'Sim.', titleFrom: 'text', durationSeconds: 1, wordCount: 1 },
  'three hours': { durationSeconds: HOURS * 3600 },
  'no audio and no times': { audioUrl: null, audioAvailable: false, levels: [], timesExact: false },
}

/** Windows and languages: the narrowest phone in both text directions, and a laptop at 200 %. */
const LOOKS = [
  ['phone', SMALL_PHONE, 'en'],
  ['phone', SMALL_PHONE, 'ar'],
  ['at 200 %', { width: 640, height: 400 }, 'en'],
] as const

describe('when notes are unusual', () => {
  let engine: Awaited<ReturnType<typeof startCountingEngine>>
  let person: Person
  let page: Page
  const { system, open } = useBrowser(async () => {
    engine = await startCountingEngine(0)
    return startOneProcess(engine.settings)
  })
  afterAll(() => engine?.stop())

  const idOf = (name: string) => name.replaceAll(' ', '-')
  /** Replaces the person's only note in responses with all of these, among ten thousand. */
  async function pretend(notes = STRANGE) {
    await page.route(/\/api\/transcriptions(\?.*)?$/, async route => {
      const json = await (await route.fetch()).json()
      const [note] = json.data.transcriptions
      json.data.transcriptions = Object.entries(notes).map(([name, more]) => ({
        ...note,
        id: idOf(name),
        ...more,
      }))
      Object.assign(json.data.pagination, { total: 10_000, totalPages: 500, hasNextPage: true })
      Object.assign(json.data.statistics, { total: 10_000, completed: 9_999, processing: 1 })
      await route.fulfill({ json })
    })
    const id = (await person.transcriptions()).transcriptions[0]?.id
    const url = `${system().appUrl}/api/transcriptions/${id}`
    await page.route(/\/api\/transcriptions\/[a-z-]+$/, async route => {
      const name = Object.keys(STRANGE).find(each =>
        route
          .request()
          .url()
          .endsWith(`/${idOf(each)}`),
      )
      if (!name) return route.fallback()
      const json = await (await route.fetch({ url })).json()
      const note = json.data.transcription
      Object.assign(note, STRANGE[name], { id: idOf(name) })
      const [first] = note.segments
      const passages = name === 'three hours' ? PASSAGES : 1
      const seconds = (HOURS * 3600) / PASSAGES
      note.segments = Array.from({ length: passages }, (_, at) => ({
        ...first,
        id: String(at + 1),
        text: note.text,
        words: undefined,
        from: at * seconds,
        to: (at + 1) * seconds,
      }))
      await route.fulfill({ json })
    })
  }
  /** Returns faults of the visible page, and elements outside of the window's sides. */
  async function faults() {
    await settled(page)
    const beyond = await page.evaluate(() =>
      [...document.querySelectorAll('main a, main button, main input, main [role=slider]')]
        // Scrollable elements may be wider.
        .filter(control => !control.closest('.max-lg\\:overflow-x-auto'))
        .filter(control => {
          const { left, right, width } = control.getBoundingClientRect()
          return width > 1 && (left < 0 || right > document.documentElement.clientWidth)
        })
        .map(control => `beyond the side: ${control.outerHTML.slice(0, 200)}`),
    )
    return [
      ...(await faultsIn(page)),
      ...beyond,
      ...((await scrollsSideways(page)) ? ['scrolls sideways'] : []),
    ]
  }

  test.each(LOOKS)('then the list and the notes show them (%s, %j, %s)', async (look, viewport, locale) => {
    page = await open({ viewport, locale, serviceWorkers: 'block', reducedMotion: 'reduce' })
    person = await signUp(system())
    await person.http.post('/users/update-profile', { ui_language: locale })
    await person.upload(await voiceNote())
    await person.ended(1)
    await page.goto('/signin')
    await page.evaluate(chosen => localStorage.setItem('voxscribe.language', chosen), locale)
    await page.locator('input[type=email]').fill(person.email)
    await page.locator('input[type=password]').fill(person.password)
    await page.keyboard.press('Enter')
    await page.waitForURL('**/dashboard')
    await pretend()
    await page.goto('/transcription-history')
    const rows = page.getByRole('article')
    await rows.nth(Object.keys(STRANGE).length - 1).waitFor()
    await screenshot(page, `strange-list-${look}-${locale}`)
    const found: string[] = await faults()
    const heights = await rows.evaluateAll(all => all.map(one => one.getBoundingClientRect().height))
    expect(Math.max(...heights)).toBeLessThan(130)

    for (const name of Object.keys(STRANGE)) {
      await page.goto(`/transcriptions/${idOf(name)}`)
      const text = page.locator('article section li p').first()
      await text.waitFor()
      await screenshot(page, `strange-${idOf(name)}-${look}-${locale}`)
      found.push(...(await faults()).map(fault => `${name}: ${fault}`))
      const top = (await text.boundingBox())?.y ?? 0
      expect([name, top < viewport.height]).toEqual([name, true])
    }
    expect(found).toEqual([])
  })

  test('when the matches of a search are far apart, then each is in view once it is the current one', async () => {
    page = await open({ viewport: PHONE, serviceWorkers: 'block' })
    person = await signUp(system())
    await person.upload(await voiceNote())
    const [note] = await person.ended(1)
    const text = 'we still need the blue folder from the office before noon '.repeat(5).trim()
    const segments = Array.from({ length: 1_000 }, (_, at) => ({
      id: String(at + 1),
      from: at * 10,
      to: at * 10 + 9,
      text: at % 300 === 200 ? `${text} zebra` : text,
      confidence: null,
    }))
    await page.route(`**/api/transcriptions/${note?.id}`, async route => {
      const json = await (await route.fetch()).json()
      Object.assign(json.data.transcription, { segments, durationSeconds: 10_000 })
      await route.fulfill({ json })
    })
    await page.goto(`/transcriptions/${note?.id}?search=zebra`)
    await signIn(page, person)
    await page.locator('mark[aria-current]').waitFor()
    for (const at of [1, 2, 3]) {
      if (at > 1) await page.getByRole('button', { name: 'Next match' }).click()
      await page
        .getByRole('status')
        .filter({ hasText: `${at} of 3` })
        .waitFor()
      const middle = await page.evaluate(async () => {
        for (let frame = 0; frame < 60; frame++) await new Promise(requestAnimationFrame)
        const { top, bottom } = document.querySelector('mark[aria-current]')!.getBoundingClientRect()
        return (top + bottom) / 2 / innerHeight
      })
      expect(middle).toBeGreaterThan(0.2)
      expect(middle).toBeLessThan(0.7)
    }
  })

  test('when a laptop opens the history, then eight notes are in view', async () => {
    page = await open({ viewport: WIDE, serviceWorkers: 'block' })
    person = await signUp(system())
    await person.upload(await voiceNote())
    await person.ended(1)
    await page.goto('/transcription-history')
    await signIn(page, person)
    await page.getByRole('article').waitFor()
    await pretend(Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`note-${at}`, {}])))
    await page.reload()
    await page.getByRole('article').nth(19).waitFor()
    await settled(page)
    await screenshot(page, 'history-laptop')
    const bottoms = await page
      .getByRole('article')
      .evaluateAll(all => all.map(one => one.getBoundingClientRect().bottom))
    expect(bottoms.filter(bottom => bottom <= WIDE.height).length).toBeGreaterThanOrEqual(8)
  })
})

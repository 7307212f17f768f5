import { readFile } from 'node:fs/promises'
import type { BrowserContextOptions, Page } from 'playwright-core'
import {
  DESK,
  NARROW,
  PHONE,
  screenshot,
  scrollsSideways,
  seriousFaults,
  settled,
  signIn,
  useBrowser,
} from './testing/browser.ts'
import { startOneProcess } from './testing/one-process.ts'
import { type Person, signUp } from './testing/person.ts'
import { recognised, recordingAs, SENTENCE, voiceNote, wordsOf } from './testing/speech.ts'

/** Colour schemes and screen sizes. */
const LOOKS = [
  ['light', DESK],
  ['dark', DESK],
  ['light', NARROW],
  ['dark', NARROW],
  ['dark', PHONE],
] as const
const OPEN_PAGES = [
  '/',
  '/pricing',
  '/blog',
  '/blog/1',
  '/contact',
  '/privacy',
  '/terms',
  '/cookies',
  '/forgot-password',
  '/reset-password?token=x',
  '/no-such-page',
  '/signup',
  '/signin',
]
const SIGNED_IN_PAGES = [
  '/dashboard',
  '/welcome',
  '/transcription-history',
  '/update-profile',
  '/security',
  '/your-data',
  '/words',
  '/api-keys',
  '/hooks',
  '/subscription/success?session_id=cs_unknown',
  '/subscription/cancel',
  '/subscription/failed?error=Card%20declined',
  '/subscription-details',
]

describe('in the browser', () => {
  const { system, open: openWindow, forgive } = useBrowser(startOneProcess)
  let page: Page
  const open = async (options: BrowserContextOptions = {}) => {
    page = await openWindow(options)
  }

  const button = (name: string | RegExp) => page.getByRole('button', { name })
  const heading = (name: string | RegExp) => page.getByRole('heading', { name })
  const signInAs = async (person: Person) => {
    await page.goto('/signin')
    await signIn(page, person)
    await page.waitForURL('**/dashboard')
  }

  test('when an uploaded note is corrected, then reload and subtitles show the correction', async () => {
    await open()
    await signInAs(await signUp(system()))
    await page.goto('/transcription-history')
    await page.getByLabel('Audio or video files').setInputFiles(await voiceNote('uploaded.ogg'))
    await page.getByRole('article').getByRole('link').click()
    await page.waitForURL('**/transcriptions/*')
    const transcript = page.getByRole('region', { name: 'Transcript', exact: true })
    await transcript.waitFor()
    expect(recognised(wordsOf(SENTENCE), (await transcript.textContent()) ?? '')).toBeGreaterThanOrEqual(0.6)

    await button('Correct the text').click()
    const passage = page.getByLabel(/^Text at /).first()
    await passage.fill('As a person heard it')
    await passage.blur()
    await page.getByText('Saved', { exact: true }).waitFor()
    await page.reload()
    await transcript.getByText('As a person heard it').waitFor()

    await button('More actions').click()
    const downloading = page.waitForEvent('download')
    await button('Subtitles (SRT)').click()
    const subtitles = await readFile(await (await downloading).path(), 'utf8')
    expect(subtitles).toMatch(/^1\r?\n\d\d:\d\d:\d\d,\d{3} --> .*\r?\nAs a person heard it\r?\n/)
  })

  test('when a phone opens the history, then six notes are in view, also offline', async () => {
    await open({ viewport: PHONE })
    const person = await signUp(system())
    await person.sendText(`My link code is ${person.user.link_code}`)
    for (const name of ['1', '2', '3', '4', '5', '6', '7'])
      await person.sendNote(await voiceNote(`${name}.ogg`), { voice: true })
    await person.ended(7)
    await signInAs(person)
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
    const notesInView = async () => {
      await page.goto('/transcription-history')
      await page.getByRole('article').nth(6).waitFor()
      await settled(page)
      const bottoms = page
        .getByRole('article')
        .evaluateAll(all => all.map(one => one.getBoundingClientRect().bottom))
      return (await bottoms).filter(bottom => bottom <= PHONE.height).length
    }
    expect(await notesInView()).toBeGreaterThanOrEqual(6)
    await screenshot(page, 'history-phone')
    await page.context().setOffline(true)
    expect(await notesInView()).toBeGreaterThanOrEqual(4)
    await page.getByText(/^You’re offline/).waitFor()
    forgive()
  })

  test('when names have no place to break a line, then no page is wider than a narrow screen', async () => {
    await open({ viewport: NARROW })
    const person = await signUp(system())
    const email = person.email.replaceAll('-', '').replace('@', `@${'long'.repeat(12)}.`)
    await person.http.put('/users/profile', { first_name: 'Wolfeschlegelsteinhausenbergerdorff', email })
    await person.sendText(`My link code is ${person.user.link_code}`)
    await person.sendNote(await recordingAs(`${'unbroken'.repeat(12)}.ogg`), { kind: 'document' })
    await signInAs({ ...person, email })
    await page.goto('/transcription-history')
    await page.locator('article', { hasText: 'unbroken' }).waitFor()
    const { transcriptions } = await person.transcriptions()
    const note = `/transcriptions/${transcriptions[0]?.id}`
    for (const path of ['/dashboard', '/welcome', '/transcription-history', note]) {
      await page.goto(path)
      await page.locator('h1').waitFor()
      if (path === '/transcription-history' || path === note)
        await page.locator('article', { hasText: 'unbroken' }).waitFor()
      await settled(page)
      expect([path, await scrollsSideways(page)]).toEqual([path, false])
    }
  })

  test('when someone forgot the password, then the mail’s link sets a new one', async () => {
    await open({ viewport: PHONE })
    const person = await signUp(system())
    await page.goto('/forgot-password')
    await page.getByLabel('Email').fill(person.email)
    await page.locator('form').getByRole('button').click()
    await heading('Password Reset Email Sent').waitFor()
    await page.getByText(`If an account exists for ${person.email}, you will receive an email`).waitFor()

    const { links } = await person.mail(/^Reset your Voxscribe password$/)
    await page.goto(links.find(address => address.includes('/reset-password?token=')) ?? '')
    await page.locator('input[type=password]').nth(0).fill('a new passphrase')
    await page.locator('input[type=password]').nth(1).fill('a new passphrase')
    await page.locator('form').getByRole('button').last().click()
    await page.waitForURL('**/signin')
    await signInAs({ ...person, password: 'a new passphrase' })
    await heading('Hello, Ada').waitFor()
  })

  /** Checks pages in each look; each is loaded again, because colour changes take some frames. */
  async function faultsOf(seen: Page, paths: string[]): Promise<string[]> {
    const faults: string[] = []
    for (const path of paths) {
      for (const [colorScheme, viewport] of LOOKS) {
        await seen.emulateMedia({ colorScheme })
        await seen.setViewportSize(viewport)
        await seen.goto(path)
        await settled(seen)
        const found = await seriousFaults(seen)
        if (await scrollsSideways(seen)) found.push('scrolls sideways')
        faults.push(...found.map(fault => `${path} in ${colorScheme} at ${viewport.width}: ${fault}`))
        const name =
          path
            .split('?')[0]
            ?.replace(/[^/]{36}$/, 'note')
            .replaceAll('/', '-')
            .slice(1) || 'landing'
        await screenshot(seen, `${name}-${colorScheme}-${viewport.width}`)
      }
    }
    return faults
  }

  test('when pages are shown in any theme and width, then axe finds nothing and none is too wide', async () => {
    await open({ reducedMotion: 'reduce' })
    const person = await signUp(system())
    await person.sendText(`My link code is ${person.user.link_code}`)
    await person.sendNote(await voiceNote(), { voice: true })
    const [note] = await person.ended(1)
    await signInAs(person)
    // Two windows at once: one is checked while the other loads.
    const stranger = await openWindow({ reducedMotion: 'reduce' })
    const faults = await Promise.all([
      faultsOf(stranger, OPEN_PAGES),
      faultsOf(page, [...SIGNED_IN_PAGES, `/transcriptions/${note?.id}`]),
    ])
    expect(faults.flat()).toEqual([])
  })
})

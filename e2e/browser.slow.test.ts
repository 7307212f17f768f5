import { readFile } from 'node:fs/promises'
import type { BrowserContextOptions, Page } from 'playwright-core'
import {
  DESK,
  faultsIn,
  NARROW,
  PHONE,
  screenshot,
  scrollsSideways,
  settled,
  signIn,
  useBrowser,
} from './testing/browser.ts'
import { startOneProcess } from './testing/one-process.ts'
import { type Person, signUp } from './testing/person.ts'
import { recognised, recordingAs, SENTENCE, voiceNote, wordsOf } from './testing/speech.ts'
import { ROOT } from './testing/system.ts'

/** Languages, colour schemes and screen sizes. */
const LOOKS = [
  ['en', 'light', DESK],
  ['en', 'dark', PHONE],
  ['ar', 'light', NARROW],
  ['ar', 'dark', NARROW],
] as const

/** Parts of an address by the parameters whose place they take. */
const PLACED: Record<string, string> = { '*': 'no-such-page', ':token': 'unknown' }
/** Pages that a search makes another. */
const ASKED: Record<string, string> = {
  '/reset-password': '?token=x',
  '/subscription/success': '?session_id=cs_unknown',
  '/subscription/failed': '?error=Card%20declined',
}

/** Addresses of all pages of the router: those for everybody, and those behind a sign-in. */
async function pagesOf(noteId: string): Promise<[open: string[], signedIn: string[]]> {
  const [router, settings] = await Promise.all(
    ['routes', 'settings'].map(name => readFile(`${ROOT}/web/src/app/${name}.tsx`, 'utf8')),
  )
  const addressesIn = (code: string) =>
    [...code.matchAll(/(?:screen\(|path: )'([^']+)'/g)].map(([, path = '']) => {
      const address = `/${path
        .replace(/^\//, '')
        .split('/')
        .map(part => (part === ':id' ? (path.startsWith('blog') ? '1' : noteId) : (PLACED[part] ?? part)))
        .join('/')}`
      return address + (ASKED[address] ?? '')
    })
  const [everybodys = '', guarded = ''] = router!.split('admits="signed-in"')
  const last = guarded.lastIndexOf("screen('*'")
  return [
    ['/', ...addressesIn(everybodys), ...addressesIn(guarded.slice(last))],
    [...addressesIn(guarded.slice(0, last)), ...addressesIn(settings!)],
  ]
}

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
  async function faultsOf(seen: Page, paths: string[], speak: (language: string) => Promise<unknown>) {
    const faults: string[] = []
    for (const [language, colorScheme, viewport] of LOOKS) {
      await speak(language)
      await seen.evaluate(chosen => localStorage.setItem('voxscribe.language', chosen), language)
      await seen.emulateMedia({ colorScheme })
      await seen.setViewportSize(viewport)
      for (const path of paths) {
        await seen.goto(path)
        await settled(seen)
        const found = await faultsIn(seen)
        if (await scrollsSideways(seen)) found.push('scrolls sideways')
        const look = `${language} ${colorScheme} ${viewport.width}`
        faults.push(...found.map(fault => `${path} in ${look}: ${fault}`))
        const name = path
          .split('?')[0]!
          .replace(/[^/]{36}$/, 'note')
          .replaceAll('/', '-')
          .slice(1)
        await screenshot(seen, `${name || 'landing'}-${look.replaceAll(' ', '-')}`)
      }
    }
    return faults
  }

  test('when any page is shown in both lights, narrow and in Arabic, then axe finds nothing', async () => {
    await open({ reducedMotion: 'reduce' })
    const person = await signUp(system())
    await person.sendText(`My link code is ${person.user.link_code}`)
    await person.sendNote(await voiceNote(), { voice: true })
    const [note] = await person.ended(1)
    const [everybodys, signedIn] = await pagesOf(note?.id ?? '')
    expect(everybodys.length).toBeGreaterThan(12)
    expect(signedIn.length).toBeGreaterThan(12)
    await signInAs(person)
    // Two windows at once: one is checked while the other loads.
    const stranger = await openWindow({ reducedMotion: 'reduce' })
    await stranger.goto('/')
    const faults = await Promise.all([
      faultsOf(stranger, everybodys, async () => undefined),
      faultsOf(page, signedIn, ui_language => person.http.post('/users/update-profile', { ui_language })),
    ])
    expect(faults.flat()).toEqual([])
  })
})

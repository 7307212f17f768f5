import { readFile } from 'node:fs/promises'
import type { UiLanguage } from '@voxscribe/languages'
import { i18nFor } from '@voxscribe/languages/node'
import axios from 'axios'
import type { BrowserContextOptions, Locator, Page } from 'playwright-core'
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
  WIDE,
} from './testing/browser.ts'
import { eventually } from './testing/eventually.ts'
import { startOneProcess } from './testing/one-process.ts'
import { type Person, signUp } from './testing/person.ts'
import { recordingAs, speechOf, voiceNote } from './testing/speech.ts'
import { ROOT } from './testing/system.ts'

/** Languages, color schemes, screen sizes and font sizes. A page zoomed to 200 % has half the screen. */
const LOOKS: [UiLanguage, 'light' | 'dark', typeof DESK, letters: string][] = [
  ['en', 'light', DESK, '100%'],
  ['ar', 'dark', PHONE, '200%'],
  ['de', 'light', PHONE, '200%'],
  ['pt', 'dark', { width: WIDE.width / 2, height: WIDE.height / 2 }, '100%'],
]
/** Maximum cumulative layout shift of a page; Google calls 0.1 good. */
const MOST_MOVED = 0.02
type Look = (typeof LOOKS)[number]

/** Values for the parameters of addresses. */
const PLACED: Record<string, string> = { '*': 'no-such-page', ':token': 'unknown', ':page': 'connect' }
/** Query strings with which a page shows different content. */
const ASKED: Record<string, string> = {
  '/reset-password': '?token=x',
  '/subscription/success': '?session_id=cs_unknown',
  '/subscription/failed': '?error=Card%20declined',
}

const CHAT = ['14/03/2025, 21:05 - Ana: Did you read it?', '15/03/2025, 09:01 - علي: نعم'].join('\n')

/** Imports a chat, by default of two people, and returns its id. */
async function bringInChat({ http }: Person, name = 'علي and Ana', text = CHAT): Promise<string> {
  const chat = { source: 'whatsapp', name, text, files: [] }
  return (await http.post('/conversations', chat)).data.data.conversation.id
}

/** Returns the addresses of all pages of the router: the public ones, and those that require a sign-in. */
async function pagesOf(noteId: string, chatId: string): Promise<[open: string[], signedIn: string[]]> {
  const [router, settings] = await Promise.all(
    ['routes', 'settings'].map(name => readFile(`${ROOT}/web/src/app/${name}.tsx`, 'utf8')),
  )
  const idIn = (path: string) =>
    path.startsWith('blog') ? '1' : path.startsWith('conversations') ? chatId : noteId
  const addressesIn = (code: string) =>
    [...code.matchAll(/(?:screen\(|path: )'([^']+)'/g)].map(([, path = '']) => {
      const address = `/${path
        .replace(/^\//, '')
        .split('/')
        .map(part => (part === ':id' ? idIn(path) : (PLACED[part] ?? part)))
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
  const signInAs = async (person: Person) => {
    await page.goto('/signin')
    await signIn(page, person)
    await page.waitForURL('**/dashboard')
  }

  test('when more tabs are open than a browser has connections, then each shows new notes', async () => {
    await open()
    const person = await signUp(system())
    await signInAs(person)
    const tabs = [page]
    for (let opened = 0; opened < 8; opened++) tabs.push(await page.context().newPage())
    for (const tab of tabs) {
      await tab.goto('/transcription-history')
      await tab.getByLabel('Audio or video files').waitFor({ state: 'attached' })
    }
    await person.upload(await voiceNote('everywhere.ogg'))
    for (const tab of tabs) await tab.getByRole('article').waitFor()
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

  test('when names have no place for a line break, then no page is wider than a narrow screen', async () => {
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
    const name = 'unbroken'.repeat(12)
    await page.goto(`/conversations/${await bringInChat(person, name, `1/2/2025, 21:05 - ${name}: ${name}`)}`)
    for (const row of ['About this chat', 'People']) await page.locator('summary', { hasText: row }).click()
    await page.getByLabel('Person', { exact: true }).waitFor()
    expect(await scrollsSideways(page)).toBe(false)
  })

  test('when a window is low, as one zoomed to 400 %, then what stays in view leaves the text its room', async () => {
    await open({ viewport: { width: 320, height: 225 } })
    const person = await signUp(system())
    await person.upload(await speechOf(40, 'low.ogg'))
    const [note] = await person.ended(1)
    await signInAs(person)
    await page.goto(`/transcriptions/${note?.id}`)
    await page.getByRole('region', { name: 'Transcript', exact: true }).waitFor()
    await button('Correct the text').click()
    await page
      .getByLabel(/^Text at /)
      .last()
      .focus()
    await settled(page)
    const free = await page.evaluate(() => {
      const rows = [...Array(innerHeight).keys()]
      const isText = (y: number) =>
        document.elementFromPoint(innerWidth / 2, y)?.closest('article section ol')
      return rows.filter(isText).length / innerHeight
    })
    expect(free).toBeGreaterThan(0.6)
  })

  interface LayoutShift {
    value: number
    hadRecentInput: boolean
    sources: { node: Node | null }[]
  }

  /** Has each page record its layout shifts. */
  const watchShifts = (seen: Page) =>
    seen.addInitScript(() => {
      const kept: unknown[] = []
      const observer = new PerformanceObserver(list => kept.push(...list.getEntries()))
      observer.observe({ type: 'layout-shift', buffered: true })
      Object.assign(globalThis, { shifts: () => kept.concat(observer.takeRecords()) })
    })

  /** Returns a page's layout shift without user input, and the elements that shifted. */
  const movedOn = (seen: Page) =>
    seen.evaluate(() => {
      const { shifts } = globalThis as unknown as { shifts(): LayoutShift[] }
      const moved = shifts().filter(({ hadRecentInput }) => !hadRecentInput)
      const nodes = moved.flatMap(({ sources }) => sources.map(({ node }) => node?.parentElement))
      return {
        by: moved.reduce((sum, { value }) => sum + value, 0),
        in: nodes.map(node => node?.outerHTML.slice(0, 150)),
      }
    })

  test('when a page loads on a phone, then nothing on it shifts', async () => {
    await open({ viewport: PHONE })
    const stranger = await openWindow({ viewport: PHONE })
    const person = await signUp(system())
    await person.sendText(`My link code is ${person.user.link_code}`)
    await person.sendNote(await speechOf(40, 'at-rest.ogg'), { voice: true })
    const [note] = await person.ended(1)
    const [everybodys, signedIn] = await pagesOf(note?.id ?? '', await bringInChat(person))
    await signInAs(person)
    const moving = async (seen: Page, paths: string[]) => {
      const found: unknown[] = []
      await watchShifts(seen)
      for (const path of paths) {
        await seen.goto(path)
        await settled(seen)
        const moved = await movedOn(seen)
        if (moved.by > MOST_MOVED) found.push([path, moved])
      }
      return found
    }
    const found = await Promise.all([moving(stranger, everybodys), moving(page, signedIn)])
    expect(found.flat()).toEqual([])
  })

  type Act = (seen: Page, named: (english: string) => Locator) => Promise<unknown>
  /** Actions that change the look of a page. */
  const ACTS: [page: RegExp, ...acts: Act[]][] = [
    [
      /^\/transcription-history$/,
      seen => seen.getByRole('article').getByRole('checkbox').first().check(),
      (_, named) => named('Record').click(),
      seen =>
        // The request follows a moment after the last key; old results are pale until the response arrives.
        Promise.all([
          seen.waitForResponse(/\/api\/transcriptions\?.*season/),
          seen.getByRole('searchbox').fill('season of fog'),
        ]),
    ],
    [
      /^\/transcriptions\//,
      (_, named) => named('Correct the text').click(),
      (_, named) => named('Line by line').click(),
      async (seen, named) => {
        await named('Search in this note').click()
        await seen.getByRole('searchbox').fill('the')
      },
      async (_, named) => {
        await named('More actions').click()
        await named('Rename').click()
      },
    ],

    [
      /^\/conversations$/,
      async (seen, named) => {
        const another = { name: 'WhatsApp Chat with Ana.txt', mimeType: 'text/plain' }
        await seen.locator('input[accept*=zip]').setInputFiles({ ...another, buffer: Buffer.from(CHAT) })
        await named('Bring in this chat').waitFor()
      },
    ],

    [
      /^\/words$/,
      async seen => {
        await seen.keyboard.press('Control+k')
        await seen.locator('dialog[open]').waitFor()
      },
    ],

    [
      /^\/security$/,
      async (seen, named) => {
        await seen.locator('input[type=password]').last().fill('a password')
        await named('Delete my account').click()
        await seen.locator('dialog[open]').waitFor()
      },
    ],
  ]

  /** Opens menus, dialogs and details, one inside the other, and returns what axe finds in each. */
  async function faultsOpened(seen: Page, around: Page | Locator) {
    const faults: string[] = []
    const closed = seen.locator('details:not([open]) > summary:visible')
    // Starts with the last one, so that opening one doesn't move the next.
    const all = await closed.all()
    for (const summary of all.reverse()) await summary.click()
    if (all.length) faults.push(...(await faultsIn(seen)))
    const menus = around.locator('[aria-expanded]:visible')
    const lookInto = async (part: Locator) => {
      for (const opener of await part.locator('[aria-haspopup=dialog]:visible').all()) {
        await opener.click()
        await seen.locator('dialog[open]').waitFor()
        faults.push(...(await faultsIn(seen)))
        await seen.keyboard.press('Escape')
      }
    }
    for (const menu of await menus.all()) {
      await menu.click()
      faults.push(...(await faultsIn(seen)))
      await lookInto(menu.locator('..'))
      await menu.press('Escape')
    }
    await lookInto(seen.getByRole('main'))
    return faults
  }

  /** Navigates like a link: reloading everything, including axe, takes longer than the checks. */
  async function turnTo(seen: Page, path: string): Promise<void> {
    const earlier = await seen.locator('h1').first().elementHandle()
    await seen.evaluate(to => {
      history.pushState(null, '', to)
      dispatchEvent(new PopStateEvent('popstate'))
    }, path)
    await seen.waitForFunction(heading => !heading?.isConnected, earlier)
  }

  /** Checks pages in one look: each as loaded, with everything opened, and after each action. */
  async function faultsOf(seen: Page, paths: string[], [language, colorScheme, viewport, letters]: Look) {
    const faults: string[] = []
    const look = `${language} ${colorScheme} ${viewport.width} ${letters}`
    await seen.evaluate(chosen => localStorage.setItem('voxscribe.language', chosen), language)
    await seen.emulateMedia({ colorScheme })
    await seen.setViewportSize(viewport)
    await seen.addInitScript(size => {
      document.addEventListener('DOMContentLoaded', () => {
        document.documentElement.style.fontSize = size
      })
    }, letters)
    const i18n = i18nFor(language)
    const main = seen.getByRole('main')
    const named = (english: string) =>
      main.getByRole('button', { name: i18n.t(english), exact: true }).first()
    const check = async (path: string, state: string, found: string[]) => {
      const name = path
        .split('?')[0]!
        .replace(/[^/]{36}$/, 'note')
        .replaceAll('/', '-')
        .slice(1)
      if (await scrollsSideways(seen)) found.push('scrolls sideways')
      faults.push(...found.map(fault => `${path}${state} in ${look}: ${fault}`))
      await screenshot(seen, `${name || 'landing'}${state}-${look.replaceAll(/[ %]+/g, '-')}`)
    }
    for (const [at, path] of paths.entries()) {
      await (at ? turnTo(seen, path) : seen.goto(path))
      await settled(seen)
      await check(path, '', await faultsIn(seen))
      // The header's menus are the same on every page except the landing page.
      await check(path, '-opened', await faultsOpened(seen, at < 2 ? seen : main))
    }
    for (const path of paths) {
      const [, ...acts] = ACTS.find(([page]) => page.test(path)) ?? []
      for (const [at, act] of acts.entries()) {
        // Navigates via another page, because a page forgets its state when it is left.
        await turnTo(seen, '/dashboard')
        await turnTo(seen, path)
        await settled(seen)
        await act(seen, named)
        await settled(seen)
        await check(path, `-act-${at}`, await faultsIn(seen))
      }
    }
    return faults
  }

  test.each(LOOKS)(
    'when any page is shown in %s, %s, %j, %s, and everything in it is opened, then axe finds nothing',
    async (...look) => {
      await open({ reducedMotion: 'reduce', permissions: ['microphone'] })
      const person = await signUp(system())
      await person.sendText(`My link code is ${person.user.link_code}`)
      // A note under 30 s has fewer controls.
      await person.sendNote(await speechOf(40, 'looked-at.ogg'), { voice: true })
      const [note] = await person.ended(1)
      const [everybodys, signedIn] = await pagesOf(note?.id ?? '', await bringInChat(person))
      expect(everybodys.length).toBeGreaterThan(12)
      expect(signedIn.length).toBeGreaterThan(12)
      await person.http.post('/keys', { name: 'A key', scopes: ['read'] })
      await person.http.post('/users/update-profile', { ui_language: look[0] })
      // Phones show a paid plan whose next payment has failed.
      if (look[2].width <= PHONE.width) {
        const stripe = `${system().sandboxUrl}/api/stripe`
        await axios.post(`${stripe}/subscriptions/${await person.pay()}/advance`, { outcome: 'declined' })
        await eventually('a payment has failed', async () => (await person.plan()).payment_problem)
      }
      await signInAs(person)
      // Uses two windows: one is checked while the other loads.
      const stranger = await openWindow({ reducedMotion: 'reduce' })
      await stranger.goto('/')
      const faults = await Promise.all([faultsOf(stranger, everybodys, look), faultsOf(page, signedIn, look)])
      expect(faults.flat()).toEqual([])
    },
  )
})

import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import axe from 'axe-core'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import type { Person } from './person.ts'
import { SENTENCE_FILE } from './speech.ts'
import { PATIENCE_MS, ROOT, type System } from './system.ts'

/** Pictures of a run with `E2E_SCREENSHOTS=on`; not kept in the repository. */
const SCREENSHOTS = join(ROOT, 'screenshots')

export const PHONE = { width: 390, height: 844 }
export const DESK = { width: 1280, height: 900 }
export const SMALL_PHONE = { width: 320, height: 568 }
export const TABLET = { width: 768, height: 1024 }
export const WIDE = { width: 1440, height: 900 }
/** The narrowest screen that WCAG asks for. */
export const NARROW = { width: 320, height: 640 }

/**
 * Debian's Chromium, without requests to its maker's hosts: the product contacts no other origin. The shell draws no
 * windows, which is a quarter of its processor time.
 */
const openBrowser = (): Promise<Browser> =>
  chromium.launch({
    executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium-headless-shell',
    // Without a language in UTF-8 it cannot open files with names beyond ASCII.
    env: { ...process.env, LC_ALL: 'C.UTF-8' },
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
      // A microphone that hears the recorded sentence.
      '--use-fake-device-for-media-stream',
      // The shell has no window in which to allow it.
      '--use-fake-ui-for-media-stream',
      `--use-file-for-fake-audio-capture=${SENTENCE_FILE}`,
    ],
  })

interface Visit {
  page: Page
  /** Errors of scripts and the content policy, and requests to other origins. */
  troubles: string[]
  close(): Promise<void>
}

/** A person's browser window, with nothing stored. */
async function visit(browser: Browser, appUrl: string, options: BrowserContextOptions = {}): Promise<Visit> {
  const context = await browser.newContext({ baseURL: appUrl, viewport: DESK, locale: 'en-US', ...options })
  const page = await context.newPage()
  page.setDefaultTimeout(PATIENCE_MS)
  const troubles: string[] = []
  page.on('pageerror', error => troubles.push(`script: ${error.message}`))
  page.on('console', message => {
    // The browser logs 4xx responses itself; the test judges them.
    if (message.type() === 'error' && !/Failed to load resource/.test(message.text()))
      troubles.push(message.text())
  })
  page.on('request', request => {
    const { hostname, protocol } = new URL(request.url())
    if (protocol.startsWith('http') && !['127.0.0.1', 'localhost'].includes(hostname))
      troubles.push(`asked ${request.url()}`)
  })
  async function close(): Promise<void> {
    // A call that a case answers itself may still be on its way; it belongs to no one anymore.
    await Promise.all(context.pages().map(each => each.unrouteAll({ behavior: 'ignoreErrors' })))
    await context.close()
  }
  return { page, troubles, close }
}

/**
 * A browser for the cases of a test file, with the system that `start` starts. After each case the windows are closed;
 * unless the case breaks the connection (`lossy`), no script may have failed nor asked another origin.
 */
export function useBrowser(start: () => Promise<System>, { lossy = false } = {}) {
  let [system, browser]: [System?, Browser?] = []
  const visits: Visit[] = []
  beforeAll(async () => {
    system = await start()
    browser = await openBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await system?.remove()
  })
  afterEach(async () => {
    const troubles = visits.flatMap(visited => visited.troubles)
    for (const visited of visits.splice(0)) await visited.close()
    if (!lossy) expect(troubles).toEqual([])
  })
  return {
    system: () => system!,
    /** Opens a window with nothing stored; `baseURL` is the system's. */
    async open(options: BrowserContextOptions = {}): Promise<Page> {
      const visited = await visit(browser!, system!.appUrl, options)
      visits.push(visited)
      return visited.page
    },
    /** For a case that breaks the connection itself: what the browser says of it is not the page's doing. */
    forgive: () => {
      for (const { troubles } of visits) troubles.length = 0
    },
  }
}

/** Fills in the sign-in page and sends it; the caller waits for the page that comes next. */
export async function signIn(
  page: Page,
  { email, password }: Pick<Person, 'email' | 'password'>,
): Promise<void> {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
}

export async function screenshot(page: Page, name: string): Promise<void> {
  if (process.env.E2E_SCREENSHOTS !== 'on') return
  await mkdir(SCREENSHOTS, { recursive: true })
  await page.screenshot({ path: join(SCREENSHOTS, `${name}.png`), fullPage: true, animations: 'disabled' })
}

/** Returns what axe finds, as `rule: element`; also what is too small for a finger, without room around it. */
export async function faultsIn(page: Page): Promise<string[]> {
  // Past the content policy, which rightly forbids a foreign script on the page itself. To read it takes as long as to run it.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe.source)
  return page.evaluate(async () => {
    const { axe: inPage } = globalThis as unknown as {
      axe: { run(options: object): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> }
    }
    const { violations } = await inPage.run({
      rules: { 'target-size': { enabled: true } },
      // Elements without a fault are not described.
      resultTypes: ['violations'],
      selectors: false,
    })
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`))
  })
}

/** Waits until the page has loaded its data; the network is never idle on a page with an event stream. */
export async function settled(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor()
  await page.waitForFunction(
    () =>
      !document.querySelector('[aria-busy=true], .animate-pulse') &&
      // A list that was pale while it loaded becomes dark by and by.
      !document.getAnimations().some(animation => animation instanceof CSSTransition),
  )
  await page.evaluate(() => document.fonts.ready)
}

/** Whether the page is wider than its window. */
export const scrollsSideways = (page: Page): Promise<boolean> =>
  page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth)

import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import axe from 'axe-core'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import type { Person } from './person.ts'
import { SENTENCE_FILE } from './speech.ts'
import { ROOT, type System, TIMEOUT_MS } from './system.ts'

/** Folder for screenshots of a run with `E2E_SCREENSHOTS=on`; not in the repository. */
const SCREENSHOTS = join(ROOT, 'screenshots')

export const PHONE = { width: 390, height: 844 }
export const DESK = { width: 1280, height: 900 }
export const SMALL_PHONE = { width: 320, height: 568 }
export const TABLET = { width: 768, height: 1024 }
export const WIDE = { width: 1440, height: 900 }
/** The narrowest screen that WCAG requires. */
export const NARROW = { width: 320, height: 640 }

/**
 * Opens Debian's Chromium without requests to its maker's hosts: the product contacts no other origin. The headless
 * shell draws no windows, which saves a quarter of the processor time.
 */
const openBrowser = (): Promise<Browser> =>
  chromium.launch({
    executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium-headless-shell',
    // Without a UTF-8 locale, it can't open files with names beyond ASCII.
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
      // The shell has no window in which to allow the microphone.
      '--use-fake-ui-for-media-stream',
      `--use-file-for-fake-audio-capture=${SENTENCE_FILE}`,
    ],
  })

interface Visit {
  page: Page
  /** Script errors, violations of the content policy, and requests to other origins. */
  troubles: string[]
  close(): Promise<void>
}

/** Opens a browser window with nothing stored. */
async function visit(browser: Browser, appUrl: string, options: BrowserContextOptions = {}): Promise<Visit> {
  const context = await browser.newContext({ baseURL: appUrl, viewport: DESK, locale: 'en-US', ...options })
  const page = await context.newPage()
  page.setDefaultTimeout(TIMEOUT_MS)
  const troubles: string[] = []
  page.on('pageerror', error => troubles.push(`script: ${error.message}`))
  page.on('console', message => {
    // The browser itself logs 4xx responses, which the test judges.
    if (message.type() === 'error' && !/Failed to load resource/.test(message.text()))
      troubles.push(message.text())
  })
  page.on('request', request => {
    const { hostname, protocol } = new URL(request.url())
    if (protocol.startsWith('http') && !['127.0.0.1', 'localhost'].includes(hostname))
      troubles.push(`asked ${request.url()}`)
  })
  async function close(): Promise<void> {
    // A call that a case answers itself may still be under way, and has no one to answer it anymore.
    await Promise.all(context.pages().map(each => each.unrouteAll({ behavior: 'ignoreErrors' })))
    await context.close()
  }
  return { page, troubles, close }
}

/**
 * Provides a browser for the cases of a test file, with the system from `start`. After each case, closes the windows
 * and, unless cases break the connection (`lossy`), fails if a script failed or contacted another origin.
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
    /** For a case that itself breaks the connection, whose errors in the browser aren't the page's fault. */
    forgive: () => {
      for (const { troubles } of visits) troubles.length = 0
    },
  }
}

/** Fills in the sign-in page and submits it; the caller waits for the next page. */
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

/** Returns axe's violations as `rule: element`, including targets too small for a finger without space around them. */
export async function faultsIn(page: Page): Promise<string[]> {
  // Bypasses the content policy, which rightly forbids foreign scripts in the page. Parsing axe costs as much as a run.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe.source)
  return page.evaluate(async () => {
    const { axe: inPage } = globalThis as unknown as {
      axe: { run(options: object): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> }
    }
    const { violations } = await inPage.run({
      rules: { 'target-size': { enabled: true } },
      // Elements without a fault aren't described.
      resultTypes: ['violations'],
      selectors: false,
    })
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`))
  })
}

/** Waits until the page has loaded its data. The network never becomes idle on a page with an event stream. */
export async function settled(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor()
  await page.waitForFunction(
    () =>
      !document.querySelector('[aria-busy=true], .animate-pulse') &&
      // A list that was pale while loading turns dark gradually.
      !document.getAnimations().some(animation => animation instanceof CSSTransition),
  )
  await page.evaluate(() => document.fonts.ready)
}

export const scrollsSideways = (page: Page): Promise<boolean> =>
  page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth)

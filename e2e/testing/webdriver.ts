import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventually } from './eventually.ts'
import { freePorts } from './system.ts'

// W3C WebDriver for browsers that Playwright doesn't drive in Debian's builds. Debian 12 has no geckodriver, but
// Firefox accepts the same commands on its own port (Marionette), to which geckodriver would only pass them on.

/** Sends a command of the W3C's list and returns its value. */
type Send = (command: keyof typeof COMMANDS, parameters: Record<string, unknown>) => Promise<unknown>

/** Name in Marionette, and path in WebKit's driver; `id` is an element's. */
const COMMANDS = {
  navigate: ['WebDriver:Navigate', () => 'url'],
  find: ['WebDriver:FindElement', () => 'element'],
  click: ['WebDriver:ElementClick', (id: unknown) => `element/${id}/click`],
  keys: ['WebDriver:ElementSendKeys', (id: unknown) => `element/${id}/value`],
  script: ['WebDriver:ExecuteScript', () => 'execute/sync'],
} as const
/** W3C's key for an element's id. */
const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf'
/** Keeps files that the page saves: WebKit's small browser shows a download but stores no file. */
const KEEP_SAVED =
  'const make = URL.createObjectURL; URL.createObjectURL = blob => { blob.text().then(text => { window.savedFile = text }); return make.call(URL, blob) }'
/**
 * Scrolls to an element. WebKit's driver doesn't, if the bar of downloads has pushed the element out of the window, and
 * Firefox misses an element whose new position has not been painted yet.
 */
const SCROLL_TO = `const [element] = arguments
  const { top, bottom } = element.getBoundingClientRect()
  if (top >= 0 && bottom <= innerHeight) return
  element.scrollIntoView({ block: 'center', behavior: 'instant' })
  return new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done())))`

export const BROWSERS = { Firefox: '/usr/bin/firefox-esr', WebKit: '/usr/bin/WebKitWebDriver' }
export type BrowserName = keyof typeof BROWSERS

export type Pilot = Awaited<ReturnType<typeof openWith>>

/** Opens a window of the browser, driven by XPath; each step waits for its element. */
export async function openWith(browser: BrowserName) {
  const home = await mkdtemp(join(tmpdir(), 'voxscribe-browser-'))
  const downloads = join(home, 'Downloads')
  await mkdir(downloads)
  const { send, stop } = await (browser === 'Firefox' ? startFirefox(home) : startWebKit(home))
  const evaluate = <T>(script: string, ...args: unknown[]) => send('script', { script, args }) as Promise<T>
  const find = (xpath: string) =>
    eventually(`there is ${xpath}`, async () => {
      const found = (await send('find', { using: 'xpath', value: xpath })) as Record<string, string>
      return found[ELEMENT]
    }).catch(async error => {
      throw new Error(
        `${error.message} on a page that says ${await evaluate('return document.body.innerText')}`,
      )
    })
  return {
    find,
    evaluate,
    goto: (url: string) => send('navigate', { url }),
    /** Retries, as an element may be covered or replaced for a moment, and moves when the page's styles arrive. */
    click: (xpath: string) =>
      eventually(`${xpath} can be clicked`, async () => {
        const id = await find(xpath)
        if ((await evaluate('return document.readyState')) !== 'complete') throw new Error('it loads still')
        await evaluate(SCROLL_TO, { [ELEMENT]: id })
        await send('click', { id })
      }),
    /** Types a text, or passes a file to a file field. */
    type: (xpath: string, text: string) =>
      // The page may replace its first field while it loads.
      eventually(`${xpath} takes a text`, async () => {
        await send('keys', { id: await find(xpath), text })
        return true
      }),
    /** Waits until the expression is true in the page. */
    until: (expression: string) =>
      eventually(`${expression} is true`, () => evaluate<boolean>(`return Boolean(${expression})`)),
    /** Performs an action that saves a file whose name ends with `suffix`, and returns the file's text. */
    async saved(suffix: string, act: () => Promise<unknown>): Promise<string> {
      if (browser === 'WebKit') await evaluate(KEEP_SAVED)
      await act()
      return eventually(`a file ${suffix} was saved`, async () => {
        const name = (await readdir(downloads)).find(file => file.endsWith(suffix))
        if (!name) return evaluate<string | null>('return window.savedFile ?? null')
        // Firefox creates the file first and fills it later.
        return (await readFile(join(downloads, name), 'utf8')) || null
      })
    },
    async close() {
      await stop()
      await rm(home, { recursive: true, force: true, maxRetries: 10 })
    },
  }
}

interface Driven {
  send: Send
  stop(): Promise<void>
}

/** Starts a program with its own home folder; `stop` ends the program and everything that it has started. */
function launch(command: string, args: string[], home: string) {
  const env = { ...process.env, HOME: home, XDG_CONFIG_HOME: home, XDG_CACHE_HOME: home, LC_ALL: 'C.UTF-8' }
  const child = spawn(command, args, { env, stdio: 'ignore', detached: true })
  return async () => {
    const ended = new Promise(resolve => child.once('exit', resolve))
    if (child.exitCode === null && child.pid) process.kill(-child.pid, 'SIGKILL')
    await ended
  }
}

async function startFirefox(home: string): Promise<Driven> {
  const profile = join(home, 'profile')
  await mkdir(profile)
  const preferences = {
    'marionette.port': 0,
    'browser.download.dir': join(home, 'Downloads'),
    'browser.download.folderList': 2,
    'browser.download.alwaysOpenPanel': false,
    'media.navigator.streams.fake': true,
    'media.navigator.permission.disabled': true,
    'media.autoplay.default': 0,
    'app.update.enabled': false,
    'datareporting.policy.dataSubmissionEnabled': false,
  }
  const lines = Object.entries(preferences).map(
    ([name, value]) => `user_pref("${name}", ${JSON.stringify(value)});\n`,
  )
  await writeFile(join(profile, 'user.js'), lines.join(''))
  const stop = launch(BROWSERS.Firefox, ['--headless', '--marionette', '--profile', profile], home)
  const portFile = join(profile, 'MarionetteActivePort')
  const port = Number(await eventually('Firefox listens', () => readFile(portFile, 'utf8')))
  const ask = marionette(connect(port, '127.0.0.1'))
  await ask('WebDriver:NewSession', { capabilities: {} })
  const send: Send = async (command, parameters) => {
    const answer = (await ask(COMMANDS[command][0], parameters)) as { value?: unknown } | null
    return answer?.value
  }
  return { send, stop }
}

/** Messages are `LENGTH:[0, id, name, parameters]` and `LENGTH:[1, id, error, result]`. */
function marionette(socket: Socket) {
  const waiting = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>()
  let received = Buffer.alloc(0)
  let last = 0
  socket.on('data', chunk => {
    received = Buffer.concat([received, chunk])
    for (;;) {
      const colon = received.indexOf(':')
      const end = colon + 1 + Number(received.subarray(0, colon))
      if (colon < 0 || received.length < end) return
      const message = JSON.parse(received.subarray(colon + 1, end).toString())
      received = received.subarray(end)
      // The greeting is an object.
      if (!Array.isArray(message)) continue
      const [, id, error, result] = message
      if (error) waiting.get(id)?.reject(new Error(error.message))
      else waiting.get(id)?.resolve(result)
      waiting.delete(id)
    }
  })
  socket.on('error', error => {
    for (const { reject } of waiting.values()) reject(error)
  })
  return (name: string, parameters: object) =>
    new Promise((resolve, reject) => {
      last += 1
      waiting.set(last, { resolve, reject })
      const message = JSON.stringify([0, last, name, parameters])
      socket.write(`${Buffer.byteLength(message)}:${message}`)
    })
}

async function startWebKit(home: string): Promise<Driven> {
  const [port] = await freePorts(1)
  const stop = launch('xvfb-run', ['-a', BROWSERS.WebKit, `--port=${port}`], home)
  const post = async (path: string, body: object) => {
    const answer = await fetch(`http://127.0.0.1:${port}/session${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const { value } = (await answer.json()) as { value: { message?: string; sessionId?: string } }
    if (!answer.ok) throw new Error(value.message)
    return value
  }
  const { sessionId } = await eventually('WebKit listens', () => post('', { capabilities: {} }))
  const send: Send = (command, { id, ...parameters }) =>
    post(`/${sessionId}/${COMMANDS[command][1](id)}`, parameters)
  return { send, stop }
}

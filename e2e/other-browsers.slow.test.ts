import { existsSync } from 'node:fs'
import { startOneProcess } from './testing/one-process.ts'
import { newNumber } from './testing/person.ts'
import { recordingAs } from './testing/speech.ts'
import type { System } from './testing/system.ts'
import { BROWSERS, type BrowserName, openWith, type Pilot } from './testing/webdriver.ts'

const button = (text: string) => `//button[normalize-space()='${text}' or @aria-label='${text}']`
const field = (label: string) => `//input[@id=//label[normalize-space()='${label}']/@for]`
const text = (words: string) => `//*[text()[contains(., '${words}')]]`
/** WebDriver's code of the key. */
const ARROW_RIGHT = '\uE014'
const here = Object.entries(BROWSERS).filter(([, program]) => existsSync(program) || process.env.CI)

const CAN_RECORD = `return 'MediaRecorder' in window && 'mediaDevices' in navigator &&
  ['audio/webm', 'audio/mp4', 'audio/ogg'].some(type => MediaRecorder.isTypeSupported(type))`

describe('the main path in other browsers', () => {
  let system: System
  let pilot: Pilot
  beforeAll(async () => {
    system = await startOneProcess()
  })
  afterAll(() => system?.remove())
  afterEach(() => pilot?.close())
  const go = (path: string) => pilot.goto(system.appUrl + path)

  async function signUp() {
    const national = newNumber()
    await go('/signup')
    await pilot.type(field('First name'), 'Ada')
    await pilot.type(field('Last name'), 'Lovelace')
    await pilot.type(field('Email'), `ada-${national}@example.com`)
    await pilot.type(field('WhatsApp number'), national)
    await pilot.type("(//input[@type='password'])[1]", 'correct horse')
    await pilot.type("(//input[@type='password'])[2]", 'correct horse')
    await pilot.click(button('Continue to Free Trial'))
    await pilot.find("//h1[contains(., 'Hello, Ada')]")
    await pilot.click(button('Remove the sample'))
    await pilot.until("!document.querySelector('article')")
  }

  /** Plays a second, pauses, and skips with the keyboard. */
  async function playWithSeeking() {
    const player = "document.querySelector('section[aria-label=Player]').textContent"
    const second = `Number(/0:(\\d\\d) \\//.exec(${player})?.[1])`
    await pilot.click(button('Play'))
    await pilot.until(`${second} > 0`)
    await pilot.click(button('Pause'))
    await pilot.type("//input[@aria-label='Position']", ARROW_RIGHT)
    await pilot.until(`${second} > 4`)
  }

  async function record() {
    await pilot.click(button('Record'))
    await pilot.until("/0:(0[3-9]|[1-5])/.test(document.querySelector('[role=timer]')?.textContent)")
    await pilot.click(button('Stop'))
    await pilot.click(button('Send'))
    await pilot.until("document.querySelectorAll('article').length === 2")
  }

  test.each(here)(
    'when a person uses %s, then they sign up, read, hear, correct, record and pay',
    async name => {
      pilot = await openWith(name as BrowserName)
      await signUp()
      await go('/transcription-history')
      await pilot.type("//input[@type='file']", await recordingAs('heard.wav'))
      await pilot.click("//article//a[contains(@href, '/transcriptions/')]")
      await pilot.find(button('Correct the text'))
      await playWithSeeking()
      await pilot.click(button('Correct the text'))
      await pilot.type("//textarea[starts-with(@aria-label, 'Text at ')]", ' as corrected')
      await pilot.evaluate('document.activeElement.blur()')
      await pilot.find(text('Saved'))
      await pilot.goto(await pilot.evaluate('return location.href'))
      // Each word that can be played is an element.
      await pilot.find("//main[contains(., 'as corrected')]")
      await pilot.click("//button[contains(., 'More actions')]")
      await pilot.click(button('Download'))
      const subtitles = await pilot.saved('.srt', () => pilot.click(button('Subtitles (SRT)')))
      expect(subtitles).toMatch(/--> [\d:,]+\r?\n.* as corrected/)

      await go('/transcription-history')
      // Debian's WebKit has no test microphone, and can't encode without GStreamer's “bad” plugins.
      if (name === 'Firefox') await record()
      else if (await pilot.evaluate(CAN_RECORD)) await pilot.find(button('Record'))
      else await pilot.find(text('This browser can’t record'))

      await go('/pricing')
      await pilot.click(button('Subscribe Now'))
      await pilot.click("//button[starts-with(normalize-space(), 'Pay $')]")
      await pilot.until("location.pathname === '/subscription/success'")
      await pilot.find(text('$4.99'))
      await go('/dashboard')
      await pilot.find(text('Pro Plan Active'))
    },
  )
})

import type { BrowserContextOptions, Page } from 'playwright-core'
import { type Cut, startBadLine } from './testing/bad-line.ts'
import { faultsIn, PHONE, screenshot, signIn, useBrowser } from './testing/browser.ts'
import { startOneProcess } from './testing/one-process.ts'
import { type Person, signUp } from './testing/person.ts'
import { recognised, recordingAs, SENTENCE, wordsOf } from './testing/speech.ts'

describe('uploading notes in the browser', () => {
  const { system, open } = useBrowser(startOneProcess, { lossy: true })
  let page: Page
  let person: Person

  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const transcribed = (files: string) => page.getByText(`${files} transcribed`).waitFor()
  async function openHistory(options: BrowserContextOptions = {}) {
    page = await open(options)
    person = await signUp(system())
    await page.goto('/transcription-history')
    await signIn(page, person)
    await page.waitForURL('**/transcription-history')
  }

  test('when a person records a note, then they can pause, hear, discard and send it', async () => {
    await openHistory({ viewport: PHONE, permissions: ['microphone'] })
    const timer = page.getByRole('timer')
    // A slow machine may not show each second.
    const recorded = (seconds: number) =>
      page.waitForFunction(least => {
        const shown = document.querySelector('[role=timer]')?.textContent
        return Number(shown?.match(/^Recording 0:(\d\d)$/)?.[1]) >= least
      }, seconds)
    await button('Record').click()
    await recorded(1)
    await button('Pause').click()
    await timer.getByText(/^Paused at 0:/).waitFor()
    expect(await faultsIn(page)).toEqual([])
    await button('Stop').click()
    const preview = page.getByLabel('Your recording')
    await preview.evaluate((audio: HTMLAudioElement) => audio.play())
    await page.waitForFunction(() => document.querySelector('audio')!.currentTime > 0)
    await button('Discard').click()
    await preview.waitFor({ state: 'detached' })

    await button('Record').click()
    await recorded(3)
    await button('Pause').click()
    await button('Resume').click()
    await recorded(7)
    await button('Stop').click()
    await button('Send').click()
    await transcribed('1 of 1 file')
    const [note, ...others] = (await person.transcriptions()).transcriptions
    expect(others).toEqual([])
    expect(note).toMatchObject({ source: 'web', fileName: expect.stringMatching(/^Recording .*\.webm$/) })
    expect(recognised(wordsOf(SENTENCE), note?.text ?? '')).toBeGreaterThanOrEqual(0.3)
  })

  test('when a person records for longer, then words appear during it, and the note gets its own text', async () => {
    await openHistory({ viewport: PHONE, permissions: ['microphone'] })
    await button('Record').click()
    const words = page.getByRole('log', { name: 'Words so far' })
    await words.waitFor()
    const early = recognised(wordsOf(SENTENCE), (await words.textContent()) ?? '')
    expect(early).toBeGreaterThanOrEqual(0.2)
    await page
      .getByRole('timer')
      .getByText(/^Recording/)
      .waitFor()
    expect((await person.transcriptions()).transcriptions).toEqual([])
    expect(await faultsIn(page)).toEqual([])
    await screenshot(page, 'words-while-recording')
    await button('Stop').click()
    await button('Send').click()
    await words.waitFor({ state: 'detached' })
    await transcribed('1 of 1 file')
    const [note] = (await person.transcriptions()).transcriptions
    expect(recognised(wordsOf(SENTENCE), note?.text ?? '')).toBeGreaterThanOrEqual(0.3)
  })

  test('when a slow connection breaks twice during an upload, then its key makes it one note', async () => {
    const cuts: Cut[] = ['while it is sent', 'before the answer']
    const line = await startBadLine(system().appUrl, [...cuts])
    await openHistory({ baseURL: line.appUrl })
    await page.getByLabel('Audio or video files').setInputFiles(await recordingAs('slow.wav'))
    await transcribed('1 of 1 file')
    // There is one more if the first try is still in progress when the next one arrives.
    expect(line.keys.length).toBeGreaterThan(cuts.length)
    expect(new Set(line.keys).size).toBe(1)
    const { transcriptions, statistics } = await person.transcriptions()
    expect(transcriptions).toHaveLength(1)
    expect(statistics.total).toBe(1)
    await line.stop()
  })
})

import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { CDPSession, Page } from 'playwright-core'
import { faultsIn, PHONE, screenshot, scrollsSideways, signIn, useBrowser } from './testing/browser.ts'
import { startOneProcess } from './testing/one-process.ts'
import { signUp } from './testing/person.ts'
import { fileWith, recognised, SENTENCE, SENTENCE_FILE, wordsOf } from './testing/speech.ts'

// Videos and recordings that are too large to send, from which the browser extracts the audio.

const run = promisify(execFile)
const SECONDS = 30
const MEGABYTE = 1024 * 1024
const LIMIT = 16 * MEGABYTE
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'voxscribe-films-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/**
 * Creates a 720p video of about 30 MB (its bit rate is padded), with the recorded sentence repeated unless it is mute.
 * A few seconds of the picture are encoded and repeated: a minute of VP8 takes three minutes of processor time.
 */
async function film(name: string, picture: string[], sound?: string[]): Promise<string> {
  const [path, clip] = [join(folder, name), join(folder, `clip-${name}`)]
  if (existsSync(path)) return path
  const source = ['-f', 'lavfi', '-i', 'testsrc2=size=1280x720:rate=30', '-t', '2']
  await run('ffmpeg', ['-v', 'error', ...source, ...picture, clip])
  const repeated = (from: string) => ['-stream_loop', '-1', '-i', from]
  const sounds = sound ? [...repeated(SENTENCE_FILE), ...sound] : []
  await run('ffmpeg', [
    '-v',
    'error',
    ...repeated(clip),
    ...sounds,
    '-t',
    String(SECONDS),
    '-c:v',
    'copy',
    path,
  ])
  expect((await stat(path)).size).toBeGreaterThan(25 * MEGABYTE)
  return path
}

/** Creates a video as phones do, with its index (`moov`) at the end. */
function phoneFilm(): Promise<string> {
  const rate = [
    '-b:v',
    '8M',
    '-minrate',
    '8M',
    '-maxrate',
    '8M',
    '-bufsize',
    '8M',
    '-x264-params',
    'nal-hrd=cbr',
  ]
  const picture = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', ...rate]
  return film('VID_20261126.mp4', picture, ['-c:a', 'aac', '-b:a', '128k', '-ac', '2', '-ar', '48000'])
}

/** Returns the peak memory of the page's process, in bytes. */
async function peakOf(page: Page): Promise<number> {
  const session = await page.context().browser()!.newBrowserCDPSession()
  const { processInfo } = await session.send('SystemInfo.getProcessInfo')
  await session.detach()
  const peaks = await Promise.all(
    processInfo
      .filter(({ type }) => type === 'renderer')
      .map(async ({ id }) => /VmHWM:\s+(\d+) kB/.exec(await readFile(`/proc/${id}/status`, 'utf8'))?.[1]),
  )
  return Math.max(...peaks.map(Number)) * 1024
}

async function heapOf(session: CDPSession): Promise<number> {
  await session.send('HeapProfiler.collectGarbage')
  const { metrics } = await session.send('Performance.getMetrics')
  return metrics.find(({ name }) => name === 'JSHeapUsedSize')!.value
}

describe('a large file in the browser', () => {
  const { system, open } = useBrowser(startOneProcess)

  async function openHistory() {
    const page = await open({ viewport: PHONE })
    const person = await signUp(system())
    await page.goto('/transcription-history')
    await signIn(page, person)
    await page.waitForURL('**/transcription-history')
    return { page, person, input: page.getByLabel('Audio or video files') }
  }

  test('when a phone’s video is chosen, canceled and chosen again, then its audio is sent and transcribed', async () => {
    const { page, person, input } = await openHistory()
    const sent: string[] = []
    page.on('request', request => {
      if (request.method() === 'POST' && request.url().endsWith('/api/transcriptions'))
        sent.push(request.url())
    })
    const path = await phoneFilm()
    const long = join(folder, 'long.mp4')
    await run('ffmpeg', ['-v', 'error', '-stream_loop', '9', '-i', path, '-c', 'copy', long])
    const session = await page.context().newCDPSession(page)
    await session.send('Performance.enable')
    const before = { heap: await heapOf(session), peak: await peakOf(page) }

    await input.setInputFiles(long)
    const making = page.getByRole('progressbar', { name: 'Making long.mp4 smaller' })
    await making.waitFor()
    expect(await faultsIn(page)).toEqual([])
    expect(await scrollsSideways(page)).toBe(false)
    await screenshot(page, 'big-file-progress')
    await page.waitForFunction(() => document.querySelector('progress')!.value > 0.6)
    const middle = { heap: await heapOf(session), peak: await peakOf(page) }
    await page.getByRole('button', { name: 'Cancel', exact: true }).click()
    await making.waitFor({ state: 'detached' })
    expect(sent).toEqual([])

    const began = Date.now()
    await input.setInputFiles(path)
    await page.getByText('1 of 1 file transcribed').waitFor()
    const seconds = (Date.now() - began) / 1000
    const after = { heap: await heapOf(session), peak: await peakOf(page) }
    const [note] = (await person.transcriptions()).transcriptions
    process.stdout.write(`${note?.fileSize} bytes sent, text after ${seconds} s, memory `)
    process.stdout.write(`${JSON.stringify({ before, middle, after })}\n`)
    expect(sent).toHaveLength(1)
    expect(note).toMatchObject({ source: 'web', fileName: 'VID_20261126.ogg' })
    expect(Math.abs((note?.durationSeconds ?? 0) - SECONDS)).toBeLessThan(0.5)
    expect(note?.fileSize).toBeLessThan(0.3 * MEGABYTE)
    expect(recognised(wordsOf(SENTENCE), note?.text ?? '')).toBeGreaterThanOrEqual(0.6)
    expect(Math.max(middle.heap, after.heap) - before.heap).toBeLessThan(16 * MEGABYTE)
    // Uses less memory than the bytes read from the long video.
    expect(middle.peak - before.peak).toBeLessThan((await stat(long)).size * 0.6)
  })

  test('when it is a WebM video, then its audio is sent, even while the person visits other pages', async () => {
    const { page, person, input } = await openHistory()
    const picture = [
      '-c:v',
      'libvpx',
      '-deadline',
      'realtime',
      '-cpu-used',
      '16',
      '-b:v',
      '9M',
      '-minrate',
      '9M',
    ]
    await input.setInputFiles(await film('film.webm', [...picture, '-maxrate', '9M'], ['-c:a', 'libopus']))
    await page.getByRole('button', { name: 'Menu', exact: true }).click()
    await page.getByRole('link', { name: 'Dashboard' }).first().click()
    await page.waitForURL('**/dashboard')
    const [note] = await person.ended(1)
    expect(note).toMatchObject({ status: 'completed', fileName: 'film.ogg' })
  })

  test('when it can’t be read or has no audio, then the page says so and sends nothing', async () => {
    const { page, person, input } = await openHistory()
    await input.setInputFiles([
      fileWith('torn.mp4', (await readFile(await phoneFilm())).subarray(0, 20 * MEGABYTE)),
      fileWith('noise.mp3', Buffer.alloc(LIMIT + 1, 7)),
      await film('mute.mp4', [
        '-c:v',
        'mpeg4',
        '-b:v',
        '9M',
        '-minrate',
        '9M',
        '-maxrate',
        '9M',
        '-bufsize',
        '9M',
      ]),
    ])
    const line = (name: string) => page.getByRole('listitem').filter({ hasText: name }).getByRole('alert')
    expect(await line('torn.mp4').textContent()).toMatch(/^This file can’t be read here/)
    expect(await line('noise.mp3').textContent()).toMatch(/^This file can’t be read here/)
    expect(await line('mute.mp4').textContent()).toMatch(/^This file has no sound/)
    expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0)
    expect((await person.transcriptions()).transcriptions).toEqual([])
  })
})

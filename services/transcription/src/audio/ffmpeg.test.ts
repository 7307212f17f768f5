import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import bundled from '@ffmpeg-installer/ffmpeg'
import { AUDIO_FORMATS, VIDEO_FORMATS } from '@voxscribe/contracts/business'
import { fileTypeOf, folderOfTests, ffmpeg as record } from '../testing.ts'
import { createFfmpeg, ffmpegCommand } from './ffmpeg.ts'

const { signal } = new AbortController()
const folder = folderOfTests()
const to = '/dev/null'

/** An ffmpeg that does that instead, and may stand still for so long. */
async function tiredFfmpeg(name: string, does: string, FFMPEG_TIMEOUT = 300) {
  const path = join(folder, name)
  await writeFile(path, `#!/bin/sh\n${does}\n`, { mode: 0o755 })
  return createFfmpeg({ FFMPEG_PATH: path, FFMPEG_TIMEOUT })
}

const TONE = ['-f', 'lavfi', '-i', 'sine=frequency=440:duration=2']
const PICTURE = ['-f', 'lavfi', '-i', 'color=c=red:size=64x64:rate=25:duration=2']

const recordings = new Map<string, Promise<string>>()
/** Recorded once, for both. */
function recorded(ending: string): Promise<string> {
  const known = recordings.get(ending) ?? newRecording(ending)
  recordings.set(ending, known)
  return known
}

async function newRecording(ending: string): Promise<string> {
  const path = join(folder, `note.${ending}`)
  const isVideo = (VIDEO_FORMATS as readonly string[]).includes(ending)
  const codec = ['ogg', 'opus', 'webm'].includes(ending) ? ['-c:a', 'libopus'] : []
  await record(...TONE, ...(isVideo ? [...PICTURE, '-shortest'] : []), ...codec, path)
  return path
}

describe.each([
  ['the ffmpeg of this machine', ffmpegCommand()],
  ['the ffmpeg that comes along', bundled.path],
])('%s', (_which, command) => {
  const ffmpeg = createFfmpeg({ FFMPEG_PATH: command, FFMPEG_TIMEOUT: 20_000 })

  test.each([...AUDIO_FORMATS, ...VIDEO_FORMATS, 'opus'])(
    'when a note comes as .%s, then it is decoded and its real length known',
    async ending => {
      const { seconds, isSilent, levels } = await ffmpeg.decode(await recorded(ending), { to, signal })
      expect(seconds).toBeGreaterThan(1.9)
      expect(seconds).toBeLessThan(2.2)
      expect(isSilent).toBe(false)
      expect(levels.length).toBe(Math.ceil(seconds * 10))
    },
  )

  test('when a video has no sound track, then that is the reason', async () => {
    const path = join(folder, 'mute.mp4')
    await record(...PICTURE, path)
    await expect(ffmpeg.decode(path, { to, signal })).rejects.toMatchObject({
      reason: { code: 'no_audio_track' },
    })
  })

  test.each([
    ['empty', ''],
    ['a text', 'This is not sound. '.repeat(500)],
    ['a broken recording', `OggS${'\u0001'.repeat(5000)}`],
    ['a playlist of other files', '#EXTM3U\n#EXTINF:10,\n/etc/passwd\n'],
  ])('when a file named .ogg is %s, then it cannot be read', async (_what, content) => {
    const path = join(folder, 'bad.ogg')
    await writeFile(path, content)
    await expect(ffmpeg.decode(path, { to, signal })).rejects.toMatchObject({
      reason: { code: 'unreadable_audio' },
    })
  })
})

const ffmpeg = createFfmpeg({ FFMPEG_TIMEOUT: 20_000 })

test('when a part is encoded as .ogg, then it is Opus of that part’s length', async () => {
  const samples = join(folder, 'samples.raw')
  await ffmpeg.decode(await recorded('wav'), { to: samples, signal })
  const part = join(folder, 'part.ogg')
  await ffmpeg.encode(samples, [{ from: 0.5, to: 1.75 }], part, signal)
  expect(await fileTypeOf(part)).toBe('ogg opus')
  expect((await ffmpeg.decode(part, { to, signal })).seconds).toBeCloseTo(1.25, 1)
})

test('when a part is brought to even loudness, then a quiet one is as loud as others', async () => {
  const [quiet, samples, even] = ['quiet.wav', 'quiet.raw', 'even.raw'].map(name => join(folder, name))
  await record(...TONE, '-af', 'volume=-30dB', quiet!)
  const { levels } = await ffmpeg.decode(quiet!, { to: samples!, signal })
  await ffmpeg.even(samples!, [{ from: 0.5, to: 2 }], even!, signal)
  const loudest = Math.max(...new Int16Array((await readFile(even!)).buffer))
  expect(loudest).toBeGreaterThan(5 * Math.max(...levels))
  expect((await stat(even!)).size).toBeCloseTo(1.5 * 32_000, -3)
})

test('when decoding takes more processor time than it may, then the note fails with that reason', async () => {
  const slow = createFfmpeg({ FFMPEG_TIMEOUT: 1_000 })
  const [minute, hours] = [join(folder, 'minute.ogg'), join(folder, 'hours.ogg')]
  const tone = ['-f', 'lavfi', '-i', 'sine=frequency=440:duration=60', '-c:a', 'libopus', '-b:a', '12k']
  await record(...tone, '-compression_level', '0', minute)
  await record('-stream_loop', '-1', '-i', minute, '-t', '14400', '-c', 'copy', hours)
  await expect(slow.decode(hours, { to, signal })).rejects.toMatchObject({
    reason: { code: 'decoding_timed_out' },
  })
})

test('when ffmpeg is slow because the machine is busy, then the note may take its time', async () => {
  const tired = await tiredFfmpeg(
    'slow',
    'for each in 1 2 3 4 5 6; do sleep 0.4; head -c 3200 /dev/zero; done',
    2_000,
  )
  expect(await tired.decode(await recorded('wav'), { to, signal })).toMatchObject({ seconds: 0.6 })
})

test('when ffmpeg stands still, then it is ended, and that is not the note’s fault', async () => {
  const tired = await tiredFfmpeg('hung', 'sleep 100')
  const error = await tired.decode(await recorded('wav'), { to, signal }).catch(error => error)
  expect(error.message).toMatch('stood still')
  expect(error).not.toHaveProperty('reason')
})

test('when ffmpeg itself is missing, then it is not the note’s fault', async () => {
  const missing = createFfmpeg({ FFMPEG_PATH: '/nowhere/ffmpeg', FFMPEG_TIMEOUT: 1_000 })
  await expect(missing.decode(await recorded('wav'), { to, signal })).rejects.not.toHaveProperty('reason')
})

test('when it is told to stop, then it stops with that reason', async () => {
  const stopped = AbortSignal.abort(new Error('enough'))
  await expect(ffmpeg.decode(await recorded('wav'), { to, signal: stopped })).rejects.toThrow('enough')
})

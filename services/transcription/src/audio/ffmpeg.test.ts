import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import bundled from '@ffmpeg-installer/ffmpeg'
import { AUDIO_FORMATS, VIDEO_FORMATS } from '@voxscribe/contracts/business'
import { fileTypeOf, ffmpeg as record, temporaryFolder } from '../testing.ts'
import { createFfmpeg, ffmpegCommand } from './ffmpeg.ts'

const { signal } = new AbortController()
let folder: string
beforeAll(async () => {
  folder = await temporaryFolder()
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const TONE = ['-f', 'lavfi', '-i', 'sine=frequency=440:duration=2']
const PICTURE = ['-f', 'lavfi', '-i', 'color=c=red:size=64x64:rate=25:duration=2']

async function recorded(ending: string): Promise<string> {
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
      const { seconds, isSilent, levels } = await ffmpeg.decode(await recorded(ending), { signal })
      expect(seconds).toBeGreaterThan(1.9)
      expect(seconds).toBeLessThan(2.2)
      expect(isSilent).toBe(false)
      expect(levels.length).toBe(Math.ceil(seconds * 10))
    },
  )

  test('when a video has no sound track, then that is the reason', async () => {
    const path = join(folder, 'mute.mp4')
    await record(...PICTURE, path)
    await expect(ffmpeg.decode(path, { signal })).rejects.toMatchObject({
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
    await expect(ffmpeg.decode(path, { signal })).rejects.toMatchObject({
      reason: { code: 'unreadable_audio' },
    })
  })
})

const ffmpeg = createFfmpeg({ FFMPEG_TIMEOUT: 20_000 })

test('when nobody speaks, then it is silence of the right length', async () => {
  const path = join(folder, 'silence.ogg')
  await record('-f', 'lavfi', '-i', 'anullsrc=r=16000:cl=mono', '-t', '3', '-c:a', 'libopus', path)
  expect(await ffmpeg.decode(path, { signal })).toMatchObject({
    isSilent: true,
    seconds: expect.closeTo(3, 1),
  })
})

test('when a part is encoded as .ogg, then it is Opus of that part’s length', async () => {
  const samples = join(folder, 'samples.raw')
  await ffmpeg.decode(await recorded('wav'), { to: samples, signal })
  const part = join(folder, 'part.ogg')
  await ffmpeg.encode(samples, { from: 0.5, to: 1.75 }, part, signal)
  expect(await fileTypeOf(part)).toBe('ogg opus')
  expect((await ffmpeg.decode(part, { signal })).seconds).toBeCloseTo(1.25, 1)
})

test('when decoding takes longer than it may, then the note fails with that reason', async () => {
  const slow = createFfmpeg({ FFMPEG_TIMEOUT: 1 })
  const path = join(folder, 'long.wav')
  await record('-f', 'lavfi', '-i', 'sine=frequency=440:duration=600', path)
  await expect(slow.decode(path, { signal })).rejects.toMatchObject({
    reason: { code: 'decoding_timed_out' },
  })
})

test('when ffmpeg itself is missing, then it is not the note’s fault', async () => {
  const missing = createFfmpeg({ FFMPEG_PATH: '/nowhere/ffmpeg', FFMPEG_TIMEOUT: 1_000 })
  await expect(missing.decode(await recorded('wav'), { signal })).rejects.not.toHaveProperty('reason')
})

test('when it is told to stop, then it stops with that reason', async () => {
  const stopped = AbortSignal.abort(new Error('enough'))
  await expect(ffmpeg.decode(await recorded('wav'), { signal: stopped })).rejects.toThrow('enough')
})

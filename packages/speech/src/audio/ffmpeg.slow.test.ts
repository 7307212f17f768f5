import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import bundled from '@ffmpeg-installer/ffmpeg'
import { AUDIO_FORMATS, VIDEO_FORMATS } from '@voxscribe/contracts/business'
import { decodeFirst, fileTypeOf, folderOfTests, ffmpeg as record } from '../testing/sound.ts'
import { createFfmpeg, ffmpegCommand } from './ffmpeg.ts'
import { TooLong } from './levels.ts'

const { signal } = new AbortController()
const folder = folderOfTests()
const to = join(folder, 'decoded.raw')

/** A fake ffmpeg that runs `does`, with a limit in milliseconds for making no progress. */
async function tiredFfmpeg(name: string, does: string, FFMPEG_TIMEOUT = 300) {
  const path = join(folder, name)
  await writeFile(path, `#!/bin/sh\n${does}\n`, { mode: 0o755 })
  return createFfmpeg({ FFMPEG_PATH: path, FFMPEG_TIMEOUT })
}

const TONE = ['-f', 'lavfi', '-i', 'sine=frequency=440:duration=2']
const PICTURE = ['-f', 'lavfi', '-i', 'color=c=red:size=64x64:rate=25:duration=2']

const SINE = '0.125*sin(880*PI*t)'
/** Layouts of which a mix by layout would lose a part: name, sample rate, and filter. */
const SIDES: [string, number, string][] = [
  ['two sides in opposite phase', 48_000, `aevalsrc='${SINE}|-${SINE}':d=2:c=stereo`],
  ['one side alone', 44_100, `aevalsrc='0|${SINE}':d=2:c=stereo`],
  ['opposite sides and a voice between', 16_000, `aevalsrc='0|0|${SINE}':d=2:c=3.0`],
  ['three in opposite phases', 8_000, `aevalsrc='${SINE}|-${SINE}|${SINE}':d=2:c=3.0`],
  ['the low channel of 5.1 alone', 48_000, `aevalsrc='0|0|0|${SINE}|0|0':d=2:c=5.1`],
  ['a channel behind of 7.1 alone', 48_000, `aevalsrc='0|0|0|0|0|0|0|${SINE}':d=2:c=7.1`],
  ['the last of sixteen', 16_000, `aevalsrc='${'0|'.repeat(15)}${SINE}':d=2:c=hexadecagonal`],
]

const recordings = new Map<string, Promise<string>>()
/** Records each file only once, for all cases. */
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
      const { seconds, isSilent, levels } = await decodeFirst(ffmpeg, await recorded(ending), { to })
      expect(seconds).toBeGreaterThan(1.9)
      expect(seconds).toBeLessThan(2.2)
      expect(isSilent).toBe(false)
      expect(levels.length).toBe(Math.ceil(seconds * 10))
    },
  )

  test.each(SIDES)('when a recording has %s, then nothing in it is lost', async (name, rate, filter) => {
    const path = join(folder, `${name}.wav`)
    await record('-f', 'lavfi', '-i', filter, '-ar', `${rate}`, path)
    const { levels, mayPlayDifferently } = await decodeFirst(ffmpeg, path, { to })
    // The tone is at -21 dB of full scale.
    expect(Math.min(...levels.slice(1, -1))).toBeGreaterThan(1_600)
    expect(Math.max(...levels)).toBeLessThan(6_000)
    expect(mayPlayDifferently).toBe(name !== 'one side alone')
  })

  test.each([
    ['mp4', ['-c:a', 'aac']],
    ['mkv', ['-c:a', 'pcm_s16le']],
    ['ogg', ['-c:a', 'libvorbis']],
  ])('when the first track of .%s is silent, then both are decoded', async (ending, codec) => {
    const path = join(folder, `silent-first.${ending}`)
    const silence = ['-f', 'lavfi', '-i', 'anullsrc=r=16000:cl=mono:d=2']
    await record(...silence, ...TONE, '-map', '0', '-map', '1', '-t', '2', ...codec, path)
    expect(await ffmpeg.decode(path, { to, signal })).toMatchObject([
      { place: 0, isSilent: true, samples: to },
      { place: 1, isSilent: false, mayPlayDifferently: true, samples: `${to}-1` },
    ])
    expect((await stat(`${to}-1`)).size).toBeCloseTo(64_000, -4)
  })

  test('when the first track cannot be decoded, then the second is taken; when none can, then their kind is not read', async () => {
    const path = join(folder, 'unknown-first.mp4')
    await record(...TONE, ...TONE, '-map', '0', '-map', '1', '-c:a', 'aac', path)
    const whole = await readFile(path)
    // Phones' spatial audio, which ffmpeg doesn't know.
    function makeUnknown() {
      whole.write('apac', whole.indexOf('mp4a'), 'latin1')
      whole.write('skip', whole.indexOf('esds'), 'latin1')
    }
    makeUnknown()
    await writeFile(path, whole)
    expect(await ffmpeg.decode(path, { to, signal })).toMatchObject([
      { place: 1, isSilent: false, mayPlayDifferently: true },
    ])
    makeUnknown()
    await writeFile(path, whole)
    await expect(ffmpeg.decode(path, { to, signal })).rejects.toMatchObject({
      reason: { code: 'kind_not_read' },
    })
  })

  test.each(['webm', 'mkv', 'mp4', 'ogg'])(
    'when a recorder paused for 10 s in .%s, then the pause is part of it',
    async ending => {
      const path = join(folder, `gap.${ending}`)
      const codec = ending === 'mp4' ? ['-c:a', 'aac'] : ['-c:a', 'libopus']
      await record(...TONE, '-af', "asetpts='if(gt(T,1),PTS+10/TB,PTS)'", ...codec, path)
      const { seconds, levels, mayPlayDifferently } = await decodeFirst(ffmpeg, path, { to })
      expect(seconds).toBeCloseTo(12, 0)
      expect(mayPlayDifferently).toBe(true)
      expect(levels.slice(15, 105).filter(level => level > 100)).toEqual([])
      expect(levels.slice(112, 118).every(level => level > 1_000)).toBe(true)
    },
  )

  test.each([
    ['mkv', 'libx264'],
    ['webm', 'libvpx'],
    ['mp4', 'libx264'],
  ])('when the sound of a film in .%s begins after 2 s, then so do its times', async (ending, film) => {
    const path = join(folder, `late.${ending}`)
    const sound = ['-af', 'asetpts=PTS+2/TB', '-c:a', ending === 'mp4' ? 'aac' : 'libopus']
    await record(...TONE, ...PICTURE, '-map', '1', '-map', '0', '-c:v', film, ...sound, path)
    const { seconds, levels } = await decodeFirst(ffmpeg, path, { to })
    expect(seconds).toBeCloseTo(4, 0)
    expect(levels.slice(0, 18).filter(level => level > 100)).toEqual([])
  })

  test('when the times of a file leap by a day, then it is longer than notes may be, not a day of memory', async () => {
    const path = join(folder, 'leap.mkv')
    await record(...TONE, '-af', "asetpts='if(gt(T,1),PTS+86400/TB,PTS)'", '-c:a', 'libopus', path)
    await expect(ffmpeg.decode(path, { to, signal, maxSeconds: 60_000 })).rejects.toThrow(TooLong)
  })

  test('when a song has a cover, then that is not decoded', async () => {
    const path = join(folder, 'cover.mp3')
    const cover = ['-map', '0', '-map', '1', '-c:v', 'png', '-disposition:v', 'attached_pic', '-t', '2']
    await record(...TONE, ...PICTURE, ...cover, path)
    const whole = await readFile(path)
    // The rest of its data is noise, about which a decoder would complain.
    whole.fill(0x5a, whole.indexOf('IDAT') + 4, whole.indexOf('IEND'))
    await writeFile(path, whole)
    expect((await decodeFirst(ffmpeg, path, { to })).seconds).toBeCloseTo(2, 0)
  })

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
  expect((await decodeFirst(ffmpeg, part, { to })).seconds).toBeCloseTo(1.25, 1)
})

test('when a part is brought to even loudness, then a quiet one is as loud as others', async () => {
  const [quiet, samples, even] = ['quiet.wav', 'quiet.raw', 'even.raw'].map(name => join(folder, name))
  await record(...TONE, '-af', 'volume=-30dB', quiet!)
  const { levels } = await decodeFirst(ffmpeg, quiet!, { to: samples! })
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
  const output = join(folder, 'output.mkv')
  await record(...TONE, '-t', '0.6', '-ar', '16000', '-c:a', 'pcm_s16le', output)
  const slowly = `for each in 0 1 2 3 4 5 6; do sleep 1; tail -c +$((each * 3200 + 1)) ${output} | head -c 3200; done`
  const tired = await tiredFfmpeg('slow', slowly, 6_500)
  expect(await decodeFirst(tired, await recorded('wav'), { to })).toMatchObject({ seconds: 0.6 })
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

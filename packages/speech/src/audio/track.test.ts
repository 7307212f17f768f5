import { execFileSync } from 'node:child_process'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import fc from 'fast-check'
import { Unworkable } from '../errors.ts'
import { folderOfTests } from '../testing/sound.ts'
import { ffmpegCommand } from './ffmpeg.ts'
import { TooLong } from './levels.ts'
import { createTracks } from './tracks.ts'

/** ffmpeg's output for two seconds of noise around a gap of this length. */
const withGap = (seconds: number) =>
  execFileSync(
    ffmpegCommand(),
    [
      ...['-v', 'error', '-f', 'lavfi', '-i', 'anoisesrc=d=2:r=16000:seed=1'],
      ...['-af', `asetpts='if(gt(T,1),PTS+${seconds}/TB,PTS)'`, '-f', 'matroska', '-c:a', 'pcm_s16le', '-'],
    ],
    { maxBuffer: 1e7 },
  )
const written = withGap(3)

const to = join(folderOfTests(), 'samples.raw')

/** Writes the sound in these chunks to a file. */
async function writeSound(chunks: Buffer[], maxSeconds = Infinity): Promise<void> {
  const tracks = createTracks({ to, places: [0], maxSeconds })
  try {
    await tracks.read(Readable.from(chunks))
    await tracks.end()
  } finally {
    await tracks.close()
  }
}
async function soundOf(chunks: Buffer[]): Promise<Buffer> {
  await writeSound(chunks)
  return readFile(to)
}

/** A Matroska block: identifier, length, track, time, flags, samples. */
function blockOf(samples: Buffer): Buffer {
  const header = Buffer.from([0xa3, 0x01, ...new Array(7).fill(0), 0x81, 0, 0, 0])
  header.writeUIntBE(samples.length + 4, 3, 6)
  return Buffer.concat([header, samples])
}

test('when ffmpeg writes a track with a gap, then the gap is as long in its sound', async () => {
  const sound = await soundOf([written])
  expect(sound.length / 32_000).toBeCloseTo(5, 1)
  expect(sound.subarray(36_000, 124_000).every(byte => byte === 0)).toBe(true)
})

test('when it is cut into chunks anywhere, then the sound is the same', async () => {
  const whole = await soundOf([written])
  const cuts = fc.array(fc.nat(written.length), { maxLength: 20 })
  await fc.assert(
    fc.asyncProperty(cuts, async at => {
      const borders = [0, ...at.sort((a, b) => a - b), written.length]
      const chunks = borders.slice(1).map((border, index) => written.subarray(borders[index], border))
      expect((await soundOf(chunks)).equals(whole)).toBe(true)
    }),
    { numRuns: 50 },
  )
  expect((await soundOf([...written].map(byte => Buffer.of(byte)))).equals(whole)).toBe(true)
})

test('when it is noise, as a damaged ffmpeg might write, then it ends, with little memory', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 3_000 }), async noise => {
      const sound = await soundOf([written.subarray(0, 600), Buffer.from(noise)]).catch(() => Buffer.alloc(0))
      expect(sound.length).toBeLessThan(1e9)
    }),
    { numRuns: 200 },
  )
})

test('when a frame has megabytes, as of a file at 8 samples a second, then its chunks are joined once', async () => {
  const samples = Buffer.alloc(8_000_000, 7)
  const written = blockOf(samples)
  const chunks = Array.from({ length: Math.ceil(written.length / 65_536) }, (_, at) =>
    written.subarray(at * 65_536, (at + 1) * 65_536),
  )
  const { concat } = Buffer
  let joined = 0
  Buffer.concat = (parts, length) => {
    const whole = concat(parts, length)
    joined += whole.length
    return whole
  }
  const sound = await soundOf(chunks).finally(() => {
    Buffer.concat = concat
  })
  expect(sound.equals(samples)).toBe(true)
  expect(joined / samples.length).toBeLessThan(5)
})

test('when a track has more channels than are mixed, then its file is unreadable, and is not tried again', async () => {
  const channels = Buffer.from([0x9f, 0x81, 100])
  await expect(soundOf([channels, blockOf(Buffer.alloc(200))])).rejects.toThrow(Unworkable)
})

test('when a gap is hours long, then others have their turn while it is filled', async () => {
  let turns = 0
  const timer = setInterval(() => (turns += 1), 1)
  await writeSound([withGap(10_000)])
  clearInterval(timer)
  expect((await stat(to)).size / 32_000).toBeCloseTo(10_002, 0)
  expect(turns).toBeGreaterThan(5)
})

test('when a track is longer than a note may be, then that is known before its gap is filled', async () => {
  await expect(writeSound([withGap(86_400)], 60_000)).rejects.toThrow(TooLong)
  expect((await stat(to)).size).toBeLessThan(100_000)
})

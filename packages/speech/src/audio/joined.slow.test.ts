import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import bundled from '@ffmpeg-installer/ffmpeg'
import { decodeFirst, folderOfTests, ffmpeg as record } from '../testing/sound.ts'
import { createFfmpeg, ffmpegCommand } from './ffmpeg.ts'

const { signal } = new AbortController()
const folder = folderOfTests()
const SECONDS = 3

async function tone(name: string, ...options: string[]): Promise<string> {
  const path = join(folder, name)
  await record('-f', 'lavfi', '-i', `sine=frequency=440:duration=${SECONDS}`, ...options, path)
  return path
}

/** Joins files like `cat`. */
async function joined(name: string, ...paths: string[]): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, Buffer.concat(await Promise.all(paths.map(each => readFile(each)))))
  return path
}

const rate = (hertz: number, ...rest: string[]) => ['-ar', `${hertz}`, ...rest]
const FILES: [string, string, () => Promise<string>][] = [
  ['AAC of 16 and 44.1 kHz', 'audio/aac', () => ofTwo('aac', rate(16_000), rate(44_100))],
  [
    'a transport stream of 16 and 44.1 kHz',
    'video/mp2t',
    () => ofTwo('ts', ['-c:a', 'aac', ...rate(16_000)], ['-c:a', 'aac', ...rate(44_100)]),
  ],
  ['MP3 of 8 and 48 kHz', 'audio/mpeg', () => ofTwo('mp3', rate(8_000), rate(48_000))],
  ['MP3 of 24 and 48 kHz', 'audio/mpeg', () => ofTwo('mp3', rate(24_000), rate(48_000))],
  ['FLAC of 16 and 44.1 kHz', 'audio/flac', () => ofTwo('flac', rate(16_000), rate(44_100))],
  [
    'FLAC of one and two channels',
    'audio/flac',
    () => ofTwo('flac', rate(16_000), rate(16_000, ...OPPOSITE)),
  ],
  [
    'Opus, mono, then two channels in opposite phase',
    'audio/ogg',
    () => ofTwo('ogg', OPUS, [...OPUS, ...OPPOSITE]),
  ],
]
const OPUS = ['-c:a', 'libopus']
const OPPOSITE = ['-af', 'pan=stereo|c0=c0|c1=-1*c0']
const ofTwo = async (ending: string, first: string[], second: string[]) =>
  joined(
    `joined.${ending}`,
    await tone(`first.${ending}`, ...first),
    await tone(`second.${ending}`, ...second),
  )

/** Returns the levels of the second half, which a misled decoder loses. */
const secondHalf = (levels: number[]) => levels.slice(levels.length / 2 + 2, -3)

describe.each([
  ['the ffmpeg of this machine', ffmpegCommand()],
  ['the ffmpeg that comes along', bundled.path],
])('%s', (_which, command) => {
  const ffmpeg = createFfmpeg({ FFMPEG_PATH: command, FFMPEG_TIMEOUT: 20_000 })

  test.each(FILES)(
    'when two recordings are joined to one of %s, then both are heard, and a quote has sound',
    async (_what, mime, file) => {
      const path = await file()
      const to = join(folder, 'samples.raw')
      const { seconds, levels, place, mayPlayDifferently, isCounted } = await decodeFirst(ffmpeg, path, {
        to,
        mime,
      })
      expect(seconds).toBeGreaterThan(2 * SECONDS - 0.1)
      expect(seconds).toBeLessThan(2 * SECONDS + 0.4)
      expect(Math.min(...secondHalf(levels))).toBeGreaterThan(1_500)
      expect({ mayPlayDifferently, isCounted }).toEqual({ mayPlayDifferently: true, isCounted: true })
      expect((await stat(to)).size / 32_000).toBeCloseTo(seconds, 1)
      const heardTrack = { place, isCounted, unheard: [] }
      const clip = await ffmpeg.clip(path, { from: 4, to: 5, mime, heardTrack, folder, signal })
      const quoted = await decodeFirst(ffmpeg, clip.path, { to: join(folder, 'clip.raw') })
      expect(quoted.seconds).toBeCloseTo(1, 1)
      expect(Math.min(...quoted.levels.slice(1, -1))).toBeGreaterThan(1_500)
    },
  )

  test('when the positions of an Ogg file’s pages are three times too large, then its samples count', async () => {
    const path = await tone('positions.ogg', '-t', '7', ...OPUS)
    const long = join(folder, 'long.ogg')
    await record('-stream_loop', '2', '-i', path, '-c', 'copy', long)
    await writeFile(path, withPositions(await readFile(long), 3n))
    const { seconds, isCounted } = await decodeFirst(ffmpeg, path, {
      to: join(folder, 'samples.raw'),
      mime: 'audio/ogg',
    })
    expect(seconds).toBeCloseTo(3 * SECONDS, 0)
    expect(isCounted).toBe(true)
  })
})

/** Multiplies the positions of pages and corrects their checksums. */
function withPositions(file: Buffer, factor: bigint): Buffer {
  for (let at = file.indexOf('OggS'); at >= 0; at = file.indexOf('OggS', at + 4)) {
    const next = file.indexOf('OggS', at + 4)
    const page = file.subarray(at, next < 0 ? file.length : next)
    page.writeBigInt64LE(page.readBigInt64LE(6) * factor, 6)
    page.writeUInt32LE(0, 22)
    page.writeUInt32LE(checksumOf(page), 22)
  }
  return file
}

/** Follows RFC 3533, section 6: polynomial 0x04c11db7, highest bit first. */
function checksumOf(page: Buffer): number {
  let sum = 0
  for (const byte of page) {
    sum ^= byte << 24
    for (let bit = 0; bit < 8; bit++) sum = sum < 0 ? (sum << 1) ^ 0x04c11db7 : sum << 1
  }
  return sum >>> 0
}

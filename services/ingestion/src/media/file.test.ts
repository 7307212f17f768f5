import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CONTAINERS, isMediaMime } from '@voxscribe/contracts/media'
import fc from 'fast-check'
import { supportedMimeTypes } from 'file-type'
import { recording } from '../testing/recording.ts'
import { keep, mediaMimeOf } from './file.ts'
import { mimeOfFrames } from './frames.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'media-kind-test-'))
})
afterAll(() => rm(folder, { recursive: true }))

async function kindOf(content: Buffer) {
  const path = join(folder, 'note.ogg')
  await writeFile(path, content)
  return mediaMimeOf(path, content.length)
}
/** The beginning of such a file, in hex, followed by zeros. */
const beginning = (hex: string) =>
  Buffer.concat([Buffer.from(hex.replaceAll(' ', ''), 'hex'), Buffer.alloc(500)])

test.each([
  ['AMR', '23 21 41 4d 52 0a', 'audio/amr'],
  ['AAC', 'ff f1 50 80', 'audio/aac'],
  ['MP3', 'ff fb 90 64', 'audio/mpeg'],
  ['FLAC', '66 4c 61 43', 'audio/flac'],
  ['M4A', '00 00 00 18 66 74 79 70 4d 34 41 20', 'audio/x-m4a'],
  ['MP4', '00 00 00 18 66 74 79 70 69 73 6f 6d', 'video/mp4'],
  ['3GP', '00 00 00 18 66 74 79 70 33 67 70 34', 'video/3gpp'],
  ['an MPEG stream', '00 00 01 b3', 'video/mpeg'],
  ['an MPEG programme', '00 00 01 ba 44', 'video/MP2P'],
  ['AU', '2e 73 6e 64 00 00 00 18', 'audio/basic'],
  ['Wave64', '72 69 66 66 2e 91 cf 11 a5 d6 28 db', 'audio/x-w64'],
  ['RF64', '52 46 36 34 ff ff ff ff 57 41 56 45', 'audio/wav'],
  ['BW64', '42 57 36 34 ff ff ff ff 57 41 56 45', 'audio/wav'],
  ['WavPack', '77 76 70 6b', 'audio/wavpack'],
  ['E-AC-3', '0b 77', 'audio/vnd.dolby.dd-raw'],
])('when a file begins as %s does, then it is media', async (_what, hex, mime) => {
  expect(await kindOf(beginning(hex))).toBe(mime)
})

test('when it is a recording, then it is media', async () => {
  expect(await kindOf(recording())).toBe('audio/wav')
})

test.each([
  ['empty', '', 'empty_file'],
  ['short', 'ff'],
  ['SILK, as WeChat has it', '02 23 21 53 49 4c 4b 5f 56 33', 'kind_not_read'],
  ['SILK', '23 21 53 49 4c 4b 5f 56 33', 'kind_not_read'],
  ['DSS, of a dictation machine', '02 64 73 73 1d 04', 'kind_not_read'],
  ['DS2', '03 64 73 32 1d 04', 'kind_not_read'],
  ['a PDF', '25 50 44 46 2d 31 2e 37'],
  ['a ZIP', '50 4b 03 04'],
  ['a GIF', '47 49 46 38 39 61'],
  ['a HEIC picture', '00 00 00 18 66 74 79 70 68 65 69 63'],
  ['a MIDI file', '4d 54 68 64 00 00 00 06'],
  ['a module of a tracker', '49 4d 50 4d'],
  ['a program', '7f 45 4c 46'],
])('when a file is %s, then it is rejected', async (_what, hex, code = 'not_audio_or_video') => {
  const file = hex.length < 6 ? Buffer.from(hex, 'hex') : beginning(hex)
  await expect(kindOf(file)).rejects.toMatchObject({ reason: { code }, bytes: file.length })
})

/** MP3: MPEG 1, layer III, 128 kbit/s, 44.1 kHz. AAC: ADTS, low complexity, 44.1 kHz, mono, 200 bytes. */
const [MP3, AAC] = [
  beginning('ff fb 90 64').subarray(0, 417),
  beginning('ff f1 50 40 19 00 fc').subarray(0, 200),
]
/** The rest of a frame, parts of which look like the beginning of one. */
const REST = Buffer.from(
  '00 ff fb 00 12 ff f1 50 7f ff ff ff fb 90 64 aa 38 3a 3d'.replaceAll(' ', ''),
  'hex',
)

test.each([
  ['MP3', MP3, 4, 'audio/mpeg'],
  ['AAC', AAC, 3, 'audio/aac'],
])(
  'when %s begins inside a frame, then whole frames after it tell what it is',
  async (_what, frame, count, mime) => {
    const frames = (count: number) => Buffer.concat([REST, ...Array<Buffer>(count).fill(frame)])
    expect(await kindOf(frames(count))).toBe(mime)
    await expect(kindOf(frames(count - 1))).rejects.toThrow('not_audio_or_video')
    const torn = Buffer.concat([frames(count - 1), Buffer.alloc(9, 1), frame])
    await expect(kindOf(torn)).rejects.toThrow('not_audio_or_video')
  },
)

test('when files are noise, then none is taken for MP3 or AAC', () => {
  const noise = fc.uint8Array({ minLength: 65_536, maxLength: 65_536 })
  fc.assert(
    fc.property(noise, bytes => mimeOfFrames(Buffer.from(bytes)) === undefined),
    { numRuns: 20 },
  )
  expect(mimeOfFrames(Buffer.alloc(65_536, 0xff))).toBe(undefined)
})

/** Types that file-type knows but aren't recordings, or that ffmpeg reads with demuxers that also read pictures. */
const REFUSED = ['audio/midi', 'audio/x-it', 'audio/x-s3m', 'audio/x-xm', 'audio/x-dff']

test('when file-type knows a type of sound or film, then it is let in or refused by our own decision', () => {
  const media = [...supportedMimeTypes].filter(mime => /^(audio|video)\/|ogg|asf|mxf/.test(mime))
  expect(media.filter(mime => !isMediaMime(mime)).sort()).toEqual(REFUSED.sort())
  const known = new Set(media.map(mime => mime.toLowerCase()))
  const others = CONTAINERS.filter(({ mimes }) => !mimes.some(mime => known.has(mime)))
  expect(others.every(({ begins }) => begins)).toBe(true)
})

test('when a file has been kept, then whole buffers of its source are free, and shared ones as they were', async () => {
  const content = randomBytes(1_000_000)
  const pieces = Array.from({ length: 10 }, (_, at) =>
    Buffer.from(Uint8Array.from(content.subarray(at * 100_000, (at + 1) * 100_000)).buffer),
  )
  const [first, ...others] = pieces as [Buffer<ArrayBuffer>, ...Buffer<ArrayBuffer>[]]
  const path = join(folder, 'kept')
  async function* source() {
    yield first.subarray(0, 50_000)
    yield first.subarray(50_000)
    yield* others
  }
  expect(await keep(source(), path, { maxBytes: content.length })).toMatchObject({ bytes: content.length })
  expect(content.equals(await readFile(path))).toBe(true)
  expect(pieces.map(({ buffer }) => buffer.byteLength)).toEqual([100_000, ...Array<number>(9).fill(0)])
})

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { recording } from '../testing/recording.ts'
import { mediaMimeOf } from './file.ts'

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
/** How such files begin, in hex; then zeros. */
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
])('when a file begins as %s does, then it is media', async (_what, hex, mime) => {
  expect(await kindOf(beginning(hex))).toBe(mime)
})

test('when it is a recording, then it is media', async () => {
  expect(await kindOf(recording())).toBe('audio/wav')
})

test.each([
  ['empty', '', 'empty_file'],
  ['short', 'ff'],
  ['a PDF', '25 50 44 46 2d 31 2e 37'],
  ['a ZIP', '50 4b 03 04'],
  ['a GIF', '47 49 46 38 39 61'],
  ['a HEIC picture', '00 00 00 18 66 74 79 70 68 65 69 63'],
  ['a MIDI file', '4d 54 68 64 00 00 00 06'],
  ['a program', '7f 45 4c 46'],
])('when a file is %s, then it is rejected', async (_what, hex, code = 'not_audio_or_video') => {
  const file = hex.length < 6 ? Buffer.from(hex, 'hex') : beginning(hex)
  await expect(kindOf(file)).rejects.toMatchObject({ reason: { code }, bytes: file.length })
})

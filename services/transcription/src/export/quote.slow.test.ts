import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { EventEmitter } from 'node:events'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { AccountErased } from '@voxscribe/contracts/events'
import { i18nFor } from '@voxscribe/languages/node'
import { type Blobs, type Logger, temporaryFolder } from '@voxscribe/service'
import { eventually, tokenFor } from '@voxscribe/service/testing'
import { ffmpeg, ffmpegCommand, folderOfTests } from '@voxscribe/speech/testing'
import { NoteRecord } from '../note/record.ts'
import type { Notes } from '../note/store.ts'
import { deskWithSphinx } from '../testing.ts'
import { createQuoting, linesIn, quoteText } from './quote.ts'

const place = folderOfTests()
const [wrapped, instead] = [join(place, 'ffmpeg'), join(place, 'instead')]
// Wraps ffmpeg: before it lists packets, it runs the script in `instead`.
writeFileSync(
  wrapped,
  `#!/bin/sh\ncase "$*" in *framecrc*) if [ -e ${instead} ]; then . ${instead}; fi;; esac\nexec ${ffmpegCommand()} "$@"\n`,
  { mode: 0o755 },
)
const { desk, folder, note: recording } = await deskWithSphinx({ FFMPEG_PATH: wrapped })

const at = (from: number, to: number) => ({ from, to })
test.each([
  ['lines that are heard', at(2, 4), [at(0, 2), at(2, 4), at(4, 6)], [at(2, 4)]],
  ['a line that overlaps a little with its neighbour', at(2, 4), [at(0, 2.1), at(3.9, 5)], []],
  ['a line of which half a second is heard', at(2, 4), [at(0, 2.5), at(2.5, 9)], [at(0, 2.5), at(2.5, 9)]],
  ['a moment within a line', at(2, 2.1), [at(0, 4), at(4, 6)], [at(0, 4)]],
  ['a short word', at(2, 4), [at(2.1, 2.2), at(4, 4.1)], [at(2.1, 2.2)]],
])('a quote has %s', (_what, span, lines, heard) => {
  expect(linesIn(lines, span)).toEqual(heard)
})

test('a quote’s text has times, names, corrections with their originals, and the digest', () => {
  const line = (id: string, from: number, text: string, speaker: string) => ({
    ...{ id, from, to: from + 2, text, speaker },
    confidence: null,
  })
  const note = {
    ...NoteRecord.partial().parse({
      fileName: 'talk.ogg',
      bytes: 12,
      createdAt: new Date(0),
      language: 'en',
    }),
    title: 'Talk',
    durationSeconds: 6,
    timesExact: true,
    text: 'x',
    segments: [line('1', 0, 'Hello', '1'), line('2', 2, 'Yes, Berlin.', '2'), line('3', 4, 'Good.', '1')],
    original: { text: '', wordCount: 0, segments: [line('2', 2, 'Yes, burning.', '2')] },
    speakers: [
      { id: '1', name: 'Ada' },
      { id: '2', name: null },
    ],
    timeZone: 'Asia/Tokyo',
  } as unknown as NoteRecord
  const source = { sha256: 'ab'.repeat(32), clip: { path: '', ending: '.ogg', isCopy: true } }
  expect(quoteText(note, at(2, 6), source, i18nFor('en'))).toBe(`Talk
January 1, 1970 at 9:00 AM
0:02 – 0:06

[0:02] Speaker 2: Yes, Berlin.
Corrected by hand; originally: Yes, burning.
[0:04] Ada: Good.

clip.ogg is cut from the audio without encoding it again. Whole packets are kept, so it may be a fraction of a second longer.

Original file: talk.ogg (12 B)
SHA-256 of the audio: ${'ab'.repeat(32)}
`)
  expect(quoteText(note, at(2, 6), source, i18nFor('de'))).toContain('] Stimme 2: Yes, Berlin.')
  const encoded = { ...source, clip: { ...source.clip, isCopy: false } }
  expect(quoteText({ ...note, timesExact: false }, at(2, 6), encoded, i18nFor('en'))).toMatch(
    /Good\.\nThe times are estimates: the engine gave none\.\n\nclip\.ogg was encoded again, as Opus/,
  )
})

/** Returns the digests of a file's packets. */
function packetsOf(path: string): (string | undefined)[] {
  const list = ['-v', 'error', '-i', path, '-map', '0:a', '-c', 'copy', '-f', 'framemd5', '-']
  const { stdout } = spawnSync(ffmpegCommand(), list)
  return [...`${stdout}`.matchAll(/^0,(?:[^,]*,){4} (\w{32})/gm)].map(([, digest]) => digest)
}
const samplesOf = (path: string) =>
  spawnSync(ffmpegCommand(), ['-v', 'error', '-i', path, '-f', 's16le', '-'], { maxBuffer: 1e8 }).stdout

const quote = (id: string, query: string, userId = 'u1') =>
  desk.fetch(`/api/transcriptions/${id}/quote?${query}`, userId)

/** Unpacks a quote into a separate folder and has sha256sum check it there. */
async function unpacked(response: Response): Promise<string> {
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/zip'])
  const inside = join(folder, crypto.randomUUID())
  await mkdir(inside)
  await writeFile(join(inside, 'q.zip'), Buffer.from(await response.arrayBuffer()))
  expect(spawnSync('unzip', ['-q', 'q.zip'], { cwd: inside }).status).toBe(0)
  const { stdout, status } = spawnSync('sha256sum', ['-c', 'SHA256SUMS'], { cwd: inside })
  expect([`${stdout}`.match(/: OK$/gm)?.length, status]).toEqual([2, 0])
  return inside
}
const clipIn = (inside: string) =>
  join(inside, readdirSync(inside).find(name => name.startsWith('clip.')) ?? '')
const leftovers = () => readdirSync(temporaryFolder()).filter(name => name.startsWith('voxscribe-quote-'))

let seed = 0
/** Makes a file of noise, in which no two packets are the same, and its note. */
async function noteOf(name: string, mime: string, ...codec: string[]) {
  const path = join(folder, name)
  seed += 1
  await ffmpeg('-f', 'lavfi', '-i', `anoisesrc=d=20:a=0.3:r=16000:seed=${seed}`, ...codec, path)
  return { path, ...(await completed(path, { mime, fileName: name })) }
}
async function completed(path: string, facts: { mime?: string; fileName?: string } = {}) {
  const sha256 = createHash('sha256')
    .update(await readFile(path))
    .digest('hex')
  const { id, event } = await desk.complete(path, { ...facts, sha256 })
  return { id, event, sha256 }
}

test.each([
  ['ogg', 'audio/ogg; codecs=opus', '.ogg', 'libopus'],
  ['mp3', 'audio/mpeg', '.mp3', 'libmp3lame'],
  ['m4a', 'audio/x-m4a', '.m4a', 'aac'],
  ['webm', 'video/webm', '.webm', 'libopus'],
  ['flac', 'audio/flac', '.oga', 'flac'],
])(
  'a quote of a file in %s has the packets that are heard in it, unchanged',
  async (kind, mime, ending, codec) => {
    const { path, id, sha256 } = await noteOf(`note.${kind}`, mime, '-c:a', codec)
    const all = packetsOf(path)
    const length = 20 / all.length
    for (const [from, to] of [
      [4.777, 7.003],
      [0, 1.5],
      [18.2, 19.9],
    ] as const) {
      const inside = await unpacked(await quote(id, `from=${from}&to=${to}`))
      const clip = clipIn(inside)
      expect(clip.endsWith(`clip${ending}`)).toBe(true)
      const cut = packetsOf(clip)
      const first = all.indexOf(cut[0])
      expect(first).toBeGreaterThanOrEqual(0)
      expect(all.slice(first, first + cut.length)).toEqual(cut)
      // At most one more at each end; encoders begin with one that is not audible.
      expect(cut.length).toBeGreaterThanOrEqual(Math.floor((to - from) / length))
      expect(cut.length).toBeLessThanOrEqual(Math.ceil((to - from) / length) + 2)
      expect(Math.abs(first - Math.floor(from / length))).toBeLessThanOrEqual(2)
      const text = await readFile(join(inside, 'quote.txt'), 'utf8')
      expect(text).toContain(`SHA-256 of the audio: ${sha256}`)
      expect(text).toContain('without encoding it again')
    }
    await eventually(() => leftovers().length === 0)
  },
)

test('a quote of a file of samples has them, unchanged', async () => {
  const { path, id } = await noteOf('samples.wav', 'audio/wav')
  const inside = await unpacked(await quote(id, 'from=4.777&to=7.003'))
  const cut = samplesOf(clipIn(inside))
  const at = Math.round(4.777 * 16_000) * 2
  expect(samplesOf(path).subarray(at, at + cut.length)).toEqual(cut)
  expect(cut.length / 32_000).toBeGreaterThanOrEqual(2.226)
  expect(cut.length / 32_000).toBeLessThan(2.5)
})

test('a quote of a file that cannot be cut is encoded, and says so', async () => {
  const { id } = await noteOf('old.au', 'audio/basic')
  const inside = await unpacked(await quote(id, 'from=4&to=7'))
  expect(clipIn(inside)).toMatch(/clip\.ogg$/)
  expect(await readFile(join(inside, 'quote.txt'), 'utf8')).toContain('clip.ogg was encoded again, as Opus')
  // So is a file whose type does not match its content.
  const odd = await noteOf('odd.wav', 'audio/amr')
  expect(clipIn(await unpacked(await quote(odd.id, 'from=4&to=7')))).toMatch(/clip\.ogg$/)
})

const sineOf = (hertz: number) => ['-f', 'lavfi', '-i', `sine=frequency=${hertz}:duration=8`]
/** Returns the zero crossings per second, which are twice a tone's frequency. */
function crossings(path: string): number {
  const samples = new Int16Array(new Uint8Array(samplesOf(path)).buffer)
  const changes = samples.filter((sample, at) => at > 0 && Math.sign(sample) !== Math.sign(samples[at - 1]!))
  const [rate = 0, channels = 1] = String(
    spawnSync('ffprobe', [
      '-v',
      'error',
      '-show_entries',
      'stream=sample_rate,channels',
      '-of',
      'csv=p=0',
      path,
    ]).stdout,
  )
    .split(',')
    .map(Number)
  return changes.length / (samples.length / rate / channels)
}

test('a quote of a file with several tracks is of the track that was heard, and the note names the others', async () => {
  const path = join(folder, 'tracks.mkv')
  const silence = ['-f', 'lavfi', '-i', 'anullsrc=r=48000:cl=mono:d=8']
  const maps = ['-map', '0', '-map', '1', '-map', '2', '-c:a', 'libopus']
  await ffmpeg(...silence, ...sineOf(440), ...sineOf(660), ...maps, path)
  const { id } = await completed(path, { mime: 'video/matroska', fileName: 'tracks.mkv' })
  const clip = clipIn(await unpacked(await quote(id, 'from=2&to=5')))
  expect(clip).toMatch(/clip\.mka$/)
  expect(Math.abs(crossings(clip) / 2 - 440)).toBeLessThan(10)
  // No language was chosen, and PocketSphinx knows only English.
  expect((await desk.noteOf(id)).notice).toMatch(
    /This file has several sound tracks\. The text is that of track 2\. Speech on other tracks was not transcribed: 3\.$/,
  )
})

test('a quote of a telephone’s spatial video, whose second track nobody can read, is of the first', async () => {
  const path = join(folder, 'spatial.mp4')
  await ffmpeg(...sineOf(440), ...sineOf(660), '-map', '0', '-map', '1', '-c:a', 'aac', path)
  const file = await readFile(path)
  file.write('apac', file.lastIndexOf('mp4a'), 'latin1')
  file.write('skip', file.lastIndexOf('esds'), 'latin1')
  await writeFile(path, file)
  const { id } = await completed(path, { mime: 'video/mp4', fileName: 'spatial.mp4' })
  const clip = clipIn(await unpacked(await quote(id, 'from=2&to=5')))
  expect(clip).toMatch(/clip\.m4a$/)
  expect(Math.abs(crossings(clip) / 2 - 440)).toBeLessThan(10)
})

test('a quote of recordings that were joined has the sound of the second', async () => {
  const parts = [join(folder, 'low.aac'), join(folder, 'high.aac')] as const
  await ffmpeg(...sineOf(440), '-ar', '16000', parts[0])
  await ffmpeg(...sineOf(660), '-ar', '44100', parts[1])
  const path = join(folder, 'joined.aac')
  await writeFile(path, Buffer.concat(await Promise.all(parts.map(part => readFile(part)))))
  const { id, event } = await completed(path, { mime: 'audio/aac', fileName: 'joined.aac' })
  expect((await desk.normalised(event.data.mediaId)).data.seconds).toBeCloseTo(16, 0)
  const clip = clipIn(await unpacked(await quote(id, 'from=10&to=13')))
  expect(Math.abs(crossings(clip) / 2 - 660)).toBeLessThan(10)
})

test('what is no stretch of a note, and what is not there, is refused', async () => {
  const { id, event } = await completed(recording)
  for (const query of [
    '',
    'from=1',
    'from=1&to=1',
    'from=2&to=1',
    'from=-1&to=1',
    'from=x&to=1',
    'from=0&to=9',
    'from=2&to=2.5',
    'from=0&to=Infinity',
    'from=0&from=1&to=2',
  ]) {
    const response = await quote(id, query)
    expect([query, response.status, (await response.json()).code]).toEqual([query, 400, 'invalid'])
  }
  expect((await (await quote(id, 'from=0&to=9')).json()).errors).toEqual([
    { field: 'to', message: 'to must be within the note, which is 2 seconds long' },
  ])
  expect((await quote(id, 'from=0&to=2.5')).status).toBe(200)
  expect((await quote(id, 'from=0&to=1', 'eve')).status).toBe(404)
  expect((await quote('none', 'from=0&to=1')).status).toBe(404)
  expect((await desk.fetch(`/api/transcriptions/${id}/quote?from=0&to=1`)).status).toBe(401)
  await desk.removeAudio(event)
  const gone = await quote(id, 'from=0&to=1')
  expect([gone.status, (await gone.json()).code]).toEqual([409, 'quote_needs_audio'])
  await desk.remove(id)
  expect((await quote(id, 'from=0&to=1')).status).toBe(404)
})

test('a file that is not the one that came is not certified', async () => {
  const { id } = await desk.complete(recording, { sha256: 'ab'.repeat(32) })
  const response = await quote(id, 'from=0&to=1')
  expect([response.status, (await response.json()).code]).toEqual([409, 'clip_failed'])
  expect(leftovers()).toEqual([])
})

test('audio that cannot be cut is refused', async () => {
  const { id } = await completed(recording)
  const broken = join(folder, 'broken.ogg')
  await writeFile(broken, 'no audio')
  const { objectKey } = (await desk.store(broken)).data
  await desk.notes.updateOne({ _id: id }, { $set: { objectKey, sha256: null } })
  const response = await quote(id, 'from=0&to=1')
  expect([response.status, (await response.json()).code]).toEqual([409, 'clip_failed'])
  await eventually(() => leftovers().length === 0)
})

test('when the disk is full, then that is the error, and the person may begin the next export', async () => {
  const full = Object.assign(new Error(), { code: 'ENOSPC' })
  let released = 0
  const release = async () => {
    released += 1
  }
  const { send } = createQuoting({
    notes: {} as Notes,
    blobs: { exists: async () => true, read: () => Promise.reject(full) } as unknown as Blobs,
    cut: () => Promise.reject(new Error('not reached')),
    beginExport: async () => ({ signal: new AbortController().signal, release }),
    log: {} as Logger,
  })
  const note = { ...NoteRecord.partial().parse({ objectKey: 'key' }) } as NoteRecord
  const response = new EventEmitter() as never
  await expect(send(response, note, at(0, 1), i18nFor('en'))).rejects.toBe(full)
  expect([released, leftovers()]).toEqual([1, []])
})

test('when ffmpeg is killed, then the answer is an error, and nothing is left; the next quote is whole', async () => {
  const { id } = await noteOf('killed.ogg', 'audio/ogg')
  await writeFile(instead, 'kill -9 $$')
  const response = await quote(id, 'from=0&to=1')
  expect([response.status, (await response.json()).code]).toEqual([500, 'server_error'])
  await rm(instead)
  await eventually(() => leftovers().length === 0)
  await unpacked(await quote(id, 'from=0&to=1'))
})

test('when the client disconnects, or its person is erased, then ffmpeg ends and nothing is left', async () => {
  const { id } = await noteOf('left.ogg', 'audio/ogg')
  const person = { phone: null, email: 'ada@example.com', firstName: 'Ada', uiLanguage: 'en' as const }
  const pid = join(place, 'pid')
  await writeFile(instead, `echo $$ > ${pid}; exec sleep 60`)
  const isRunning = () =>
    existsSync(pid) && spawnSync('kill', ['-0', readFileSync(pid, 'utf8').trim()]).status === 0
  const left = new AbortController()
  const asked = fetch(`${desk.url}/api/transcriptions/${id}/quote?from=0&to=1`, {
    headers: { authorization: tokenFor('u1') },
    signal: left.signal,
  })
  await eventually(isRunning)
  expect(leftovers()).toHaveLength(1)
  // A person can have one export at a time.
  expect((await quote(id, 'from=0&to=1')).status).toBe(429)
  left.abort()
  await expect(asked).rejects.toThrow()
  await eventually(() => !isRunning() && leftovers().length === 0)
  await rm(pid)

  const late = quote(id, 'from=0&to=1')
  await eventually(isRunning)
  await desk.bus.publish(AccountErased.create({ userId: 'u1', ...person }))
  expect((await late).status).toBe(404)
  await eventually(() => !isRunning() && leftovers().length === 0)
  await rm(instead)
})

import { jest } from '@jest/globals'
import { screen, waitFor, within } from '@testing-library/react'
import {
  BufferTarget,
  CustomAudioEncoder,
  EncodedAudioPacketSource,
  EncodedPacket,
  EncodedVideoPacketSource,
  MkvOutputFormat,
  Output,
  registerEncoder,
} from 'mediabunny'
import { drop } from '../testing/drop.ts'
import { type FakeHandlers, noNetwork, ok } from '../testing/fake-api.ts'
import { processing } from '../testing/notes.ts'
import { ada } from '../testing/people.ts'
import { config } from '../testing/plans.ts'
import { openApp } from '../testing/render-app.tsx'

/** Bytes of Opus for each piece of audio, and the promise that an encoder awaits before it takes the next piece. */
const encoder = { bytes: 40, gate: Promise.resolve(), used: 0 }

/** Version 1, one channel, nothing to skip, 48,000 Hz, no gain. */
const OPUS_HEAD = [1, 1, 0, 0, 0x80, 0xbb, 0, 0, 0, 0, 0]

/** Opus only as far as a container inspects it, because jsdom can't encode. */
class FakeOpus extends CustomAudioEncoder {
  static override supports = (codec: string) => codec === 'opus'
  init() {}
  async encode({ timestamp, duration }: { timestamp: number; duration: number }) {
    encoder.used += 1
    await encoder.gate
    const { numberOfChannels, sampleRate } = this.config
    const packet = new EncodedPacket(new Uint8Array(encoder.bytes), 'key', timestamp, duration)
    const description = new Uint8Array([...'OpusHead'].map(letter => letter.charCodeAt(0)).concat(OPUS_HEAD))
    this.onPacket(packet, { decoderConfig: { codec: 'opus', numberOfChannels, sampleRate, description } })
  }
  flush() {}
  close() {}
}
registerEncoder(FakeOpus as never)

beforeEach(() => {
  Object.assign(encoder, { bytes: 40, gate: Promise.resolve(), used: 0 })
  Object.assign(globalThis, { AudioEncoder: class {} })
})
afterEach(() => {
  Reflect.deleteProperty(globalThis, 'AudioEncoder')
})

const MAX = 1024 * 1024
const sent = () => ok<'upload'>({ transcription: processing })

/** Opens the page with a limit of 1 MB, which ten seconds of WAV exceed. */
async function open(handlers: FakeHandlers) {
  const small = { ...config, maxFileBytes: MAX }
  const view = openApp('/transcription-history', { config: () => ok(small), ...handlers }, ada)
  const input = await screen.findByLabelText<HTMLInputElement>('Audio or video files')
  return { ...view, input }
}
const row = async (name: string) => within((await screen.findByText(name)).closest('li') as HTMLElement)

/** Silence as a WAV file with two channels at 48 kHz. */
function wav(name: string, seconds: number): File {
  const bytes = seconds * 48_000 * 4
  const header = new DataView(new ArrayBuffer(44))
  const words = { 0: 'RIFF', 8: 'WAVE', 12: 'fmt ', 36: 'data' }
  for (const [at, word] of Object.entries(words))
    for (const [index, letter] of [...word].entries())
      header.setUint8(Number(at) + index, letter.charCodeAt(0))
  for (const [at, value] of [
    [4, bytes + 36],
    [16, 16],
    [24, 48_000],
    [28, 192_000],
    [40, bytes],
  ])
    header.setUint32(at!, value!, true)
  for (const [at, value] of [
    [20, 1],
    [22, 2],
    [32, 4],
    [34, 16],
  ])
    header.setUint16(at!, value!, true)
  return new File([header, new Uint8Array(bytes)], name, { type: 'audio/wav' })
}

/** A film of 2 MB with a picture, and with audio that no browser here can decode. */
async function film(name: string, audio?: 'aac'): Promise<File> {
  const output = new Output({ format: new MkvOutputFormat(), target: new BufferTarget() })
  const picture = new EncodedVideoPacketSource('vp8')
  output.addVideoTrack(picture)
  const sound = audio && new EncodedAudioPacketSource(audio)
  if (sound) output.addAudioTrack(sound)
  await output.start()
  const frame = new EncodedPacket(new Uint8Array(2 * MAX), 'key', 0, 1)
  await picture.add(frame, { decoderConfig: { codec: 'vp8', codedWidth: 64, codedHeight: 64 } })
  const description = new Uint8Array([17, 144])
  const decoderConfig = { codec: 'mp4a.40.2', numberOfChannels: 2, sampleRate: 48_000, description }
  await sound?.add(new EncodedPacket(new Uint8Array(100), 'key', 0, 1), { decoderConfig })
  await output.finalize()
  return new File([output.target.buffer!], name, { type: 'video/x-matroska' })
}

test('when a recording is too large, then its sound is sent in its place, with progress', async () => {
  const { api } = await open({ upload: sent })
  const gate = Promise.withResolvers<void>()
  encoder.gate = gate.promise
  drop(wav('Board meeting.wav', 10))
  const shown = await row('Board meeting.wav')
  expect(await shown.findByRole('progressbar', { name: 'Making Board meeting.wav smaller' })).toBeTruthy()
  expect(api.of('upload')).toHaveLength(0)
  gate.resolve()
  await shown.findByText(/^Sent/)
  const [{ body }] = api.of('upload') as unknown as [{ body: FormData }]
  const sound = body.get('file') as File
  expect(sound.name).toBe('Board meeting.ogg')
  expect(sound.type).toBe('audio/ogg')
  expect(new TextDecoder().decode(await sound.slice(0, 4).arrayBuffer())).toBe('OggS')
  expect(sound.size).toBeLessThan(MAX / 10)
})

test('when a small file is sent, then it stays as it is', async () => {
  const { api } = await open({ upload: sent })
  drop(wav('short.wav', 1))
  await (await row('short.wav')).findByText(/^Sent/)
  const [{ body }] = api.of('upload') as unknown as [{ body: FormData }]
  expect((body.get('file') as File).name).toBe('short.wav')
  expect(encoder.used).toBe(0)
})

test('when the connection is lost, then the sound made before is sent under the same key', async () => {
  let tries = 0
  const { api } = await open({ upload: () => (++tries === 1 ? noNetwork() : sent()) })
  drop(wav('lost.wav', 10))
  await waitFor(() => expect(tries).toBe(1))
  const { used } = encoder
  await (await row('lost.wav')).findByText(/^Sent/)
  expect(encoder.used).toBe(used)
  expect(new Set(api.of('upload').map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1)
})

test('when it is cancelled, then nothing of it is sent, and the next file is', async () => {
  const { api, user } = await open({ upload: sent })
  const gate = Promise.withResolvers<void>()
  encoder.gate = gate.promise
  drop(wav('long.wav', 10), wav('short.wav', 1))
  await waitFor(() => expect(encoder.used).toBeGreaterThan(0))
  await user.click((await row('long.wav')).getByRole('button', { name: 'Cancel' }))
  expect(screen.queryByText('long.wav')).toBeNull()
  gate.resolve()
  await (await row('short.wav')).findByText(/^Sent/)
  expect(api.of('upload')).toHaveLength(1)
})

const refused: [string, () => File | Promise<File>, RegExp][] = [
  [
    'can’t be decoded',
    () => film('film.mkv', 'aac'),
    /larger than 1 MB, and this browser can’t make it smaller/,
  ],
  ['has no sound', () => film('film.mkv'), /^This file has no sound/],
  ['is damaged', () => torn(), /^This file can’t be read here/],
  // The index of a phone's film is at its end.
  [
    'breaks off',
    () => torn('\0\0\0\x14ftypisom\0\0\x02\0isom', '\x7f\0\0\0mdat'),
    /^This file can’t be read here/,
  ],
]
const torn = (...begin: string[]) => new File([...begin, new Uint8Array(2 * MAX).fill(7)], 'film.mkv')
test.each(refused)('when a large file %s, then that is said, and nothing is sent', async (_, make, words) => {
  const { api } = await open({ upload: sent })
  drop(await make())
  const shown = await row('film.mkv')
  expect((await shown.findByRole('alert')).textContent).toMatch(words)
  expect(shown.queryByRole('button', { name: 'Try again' })).toBeNull()
  expect(api.of('upload')).toHaveLength(0)
})

test('when it can’t be read any more, then that is said, and nothing is sent', async () => {
  const { api } = await open({ upload: sent })
  const gone = wav('gone.wav', 10)
  const fails = () => ({ arrayBuffer: () => Promise.reject(new DOMException('', 'NotReadableError')) })
  Object.assign(gone, { slice: fails, stream: () => new ReadableStream({ pull: c => c.error(new Error()) }) })
  drop(gone)
  expect((await (await row('gone.wav')).findByRole('alert')).textContent).toMatch(/^This file can’t be read/)
  expect(api.of('upload')).toHaveLength(0)
})

test('when the sound alone is too large, then that is said, and nothing is sent', async () => {
  encoder.bytes = MAX
  const { api } = await open({ upload: sent })
  drop(wav('long.wav', 10))
  expect((await (await row('long.wav')).findByRole('alert')).textContent).toMatch(/^Even its sound alone/)
  expect(api.of('upload')).toHaveLength(0)
})

test('when the browser encodes nothing, then a large file is refused at once', async () => {
  Reflect.deleteProperty(globalThis, 'AudioEncoder')
  await open({ upload: sent })
  drop(wav('long.wav', 10))
  expect((await row('long.wav')).getByRole('alert').textContent).toMatch(/this browser can’t make it smaller/)
  expect(screen.queryByText(/Larger ones are made smaller/)).toBeNull()
})

test('when the same sound is sent twice, then its one note is asked for once', async () => {
  const warn = jest.spyOn(console, 'warn').mockImplementation(() => {})
  await open({ upload: sent })
  drop(wav('one.wav', 1), wav('two.wav', 1))
  await (await row('one.wav')).findByText(/^Sent/)
  await (await row('two.wav')).findByText(/^Sent/)
  expect(warn).not.toHaveBeenCalled()
  warn.mockRestore()
})

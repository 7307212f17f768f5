import { mkdtemp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import bundled from '@ffmpeg-installer/ffmpeg'
import { createFfmpeg } from '../audio/ffmpeg.ts'
import { fakeSphinx } from '../testing/fake-sphinx.ts'
import { folderOfTests, partOf, tone } from '../testing/sound.ts'
import { createSphinx, readSphinx } from './sphinx.ts'

const folder = folderOfTests()
const ffmpeg = createFfmpeg({ FFMPEG_PATH: bundled.path, FFMPEG_TIMEOUT: 20_000 })
const { signal } = new AbortController()

async function listen(command: string, timeoutMs: number) {
  const part = partOf({ samples: await tone(join(folder, 'a.wav')), folder })
  return createSphinx({ command, ffmpeg, timeoutMs }).recognise(part, 'en', signal)
}

test('when sphinx prints words with times, then marks and noises are no words', () => {
  const output = [
    'and mr john',
    '<s> 0.000 0.140 0.999400',
    'and(2) 0.150 0.250 0.200000',
    '[NOISE] 0.260 0.300 1.000000',
    '++BREATH++ 0.310 0.330 1.000000',
    'mr 0.370 0.470 0.600000',
    '<sil> 0.480 0.500 0.500000',
    '</s> 7.050 7.080 1.000000',
    '',
  ].join('\n')
  const words = [
    { text: 'and', from: 10.15, to: 10.25, confidence: 0.2 },
    { text: 'mr', from: 10.37, to: 10.47, confidence: 0.6 },
  ]
  const segment = { from: 10.15, to: 10.47, text: 'and mr', confidence: expect.closeTo(0.4, 5), words }
  expect(readSphinx(output, [{ from: 10, to: 18 }])).toEqual({
    segments: [segment],
    language: 'en',
    timesExact: true,
  })
  expect(readSphinx('\n', [])).toMatchObject({ segments: [], language: 'en' })
})

test('when it exceeds its time twice, then it is stopped, and fails for good on this note', async () => {
  const fake = await fakeSphinx(await mkdtemp(join(folder, 'slow-')))
  await fake.hold()
  await expect(listen(fake.command, 2_000)).rejects.toMatchObject({ reason: { code: 'engine_broke' } })
  expect(await fake.runs()).toBe(2)
  await fake.release()
})

test('when it was stopped for a while and is out of time, then it begins once more', async () => {
  const fake = await fakeSphinx(await mkdtemp(join(folder, 'paused-')))
  await fake.hold()
  await fake.letPass(2)
  const { segments } = await listen(fake.command, 2_000)
  expect(segments.map(({ text }) => text)).toEqual(['hello world'])
  expect(await fake.runs()).toBe(2)
})

test('when it cannot have the memory that it wants, then it fails for good on this note', async () => {
  const command = join(folder, 'greedy-sphinx')
  await writeFile(command, '#!/bin/sh\necho "malloc(8) failed from dict.c(98)" >&2\nexit 255\n', {
    mode: 0o755,
  })
  await expect(listen(command, 20_000)).rejects.toMatchObject({ reason: { code: 'engine_broke' } })
})

test.each([
  [5.7, 58.2],
  [104.60000000000001, 157.1],
  [0.1, 0.30000000000000004],
])('when a part is cut from %s to %s, then it is listened to', async (from, to) => {
  const { command } = await fakeSphinx(folder)
  const samples = join(folder, 'long.raw')
  await writeFile(samples, Buffer.alloc(160 * 32_000))
  const engine = createSphinx({ command, ffmpeg, timeoutMs: 300_000 })
  const part = partOf({ samples, folder, pieces: [{ from, to }] })
  const { segments } = await engine.recognise(part, 'en', signal)
  expect(segments.map(({ text }) => text)).toEqual(['hello world'])
})

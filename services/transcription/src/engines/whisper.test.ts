import { chmod, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createFfmpeg } from '../audio/ffmpeg.ts'
import { temporaryFolder, tone } from '../testing.ts'
import { createWhisper, readWhisper } from './whisper.ts'

let folder: string
beforeAll(async () => {
  folder = await temporaryFolder()
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const output = (text: string) =>
  JSON.stringify({
    result: { language: 'de' },
    transcription: [
      {
        text,
        tokens: [
          { text: '[_BEG_]', p: 0.1 },
          { text: ' Guten', p: 0.8 },
          { text: ' Tag', p: 0.6 },
        ],
      },
    ],
  })

/** A program in the place of whisper-cli: it keeps its arguments and writes what the real one would. */
async function fakeWhisper(): Promise<string> {
  const command = join(folder, 'whisper-cli')
  await writeFile(join(folder, 'out.json'), output(' Guten Tag'))
  await writeFile(
    command,
    `#!/bin/sh
echo "$@" > ${folder}/args
while [ $# -gt 0 ]; do [ "$1" = -of ] && stem=$2; [ "$1" = -f ] && cp "$2" ${folder}/heard.wav; shift; done
cp ${folder}/out.json "$stem.json"
`,
  )
  await chmod(command, 0o755)
  return command
}

test('when a part is recognised, then whisper.cpp gets a 16 kHz WAV, the model and the language', async () => {
  const ffmpeg = createFfmpeg({ FFMPEG_TIMEOUT: 20_000 })
  const samples = join(folder, 'samples.raw')
  const { signal } = new AbortController()
  await ffmpeg.decode(await tone(join(folder, 'a.wav'), 3), { to: samples, signal })
  const engine = createWhisper({
    command: await fakeWhisper(),
    model: '/models/base.bin',
    timeoutMs: 5_000,
    ffmpeg,
  })
  const part = { samples, span: { from: 1, to: 2 }, isWhole: false, key: 'k', folder }
  expect(await engine.recognise(part, 'auto', signal)).toEqual({
    text: 'Guten Tag',
    language: 'de',
    confidence: expect.closeTo(0.7, 5),
  })
  expect(await readFile(join(folder, 'args'), 'utf8')).toContain('-m /models/base.bin')
  expect(await readFile(join(folder, 'args'), 'utf8')).toContain('-l auto')
  const heard = await ffmpeg.decode(join(folder, 'heard.wav'), { signal })
  expect(heard.seconds).toBeCloseTo(1, 2)
})

test('when whisper.cpp marks a place where no one speaks, then that is no text', () => {
  expect(readWhisper(output(' [BLANK_AUDIO]'))).toMatchObject({ text: '', confidence: null })
  expect(readWhisper(output(' (wind blowing)'))).toMatchObject({ text: '' })
})

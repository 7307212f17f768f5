import { existsSync, readdirSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import type { Host } from '../host.ts'
import type { ModelFiles, VoiceModel } from '../local-model/protocol.ts'
import type { ModelSettings } from '../settings.ts'
import { expectedIn } from './expected.ts'
import { fetchedInto, isIntact } from './intact.ts'
import { ALIKE, DETECTOR, MODELS, type Model, type SpeechModel, VOICES, workerMegabytesOf } from './table.ts'

export type InstalledModel = ModelFiles & Pick<Model, 'name' | 'languages' | 'workerMegabytes'>

export type Models = ReturnType<typeof openModels>

interface Options extends Partial<Pick<Host, 'log' | 'metrics'>> {
  folder: string
  named?: string | undefined
  /** The model that distinguishes voices. */
  voices?: string | undefined
}

export const modelsOf = (
  { MODEL_DIR, DATA_DIR, LOCAL_MODEL, SPEAKER_MODEL }: ModelSettings,
  host: Partial<Pick<Host, 'log' | 'metrics'>> = {},
): Models =>
  openModels({
    folder: MODEL_DIR ?? join(DATA_DIR, 'models'),
    named: LOCAL_MODEL,
    voices: SPEAKER_MODEL,
    ...host,
  })

/** Opens the folder of models, which has one folder per model, named as in the table. */
export function openModels({ folder, named, voices, log, metrics }: Options) {
  /** State of the files in a folder when its model couldn't be loaded. */
  const unusable = new Map<string, string>()
  const isUsable = (path: string) => unusable.get(resolve(path)) !== stateOf(path)
  const isHere = ({ name, files }: Model) => {
    const path = join(folder, name)
    return [...files, ...fetchedInto(path)].every(file => isIntact(path, file)) && isUsable(path)
  }
  const installed = (model: SpeechModel): InstalledModel | undefined => {
    if (!isHere(model)) return undefined
    const { name, kind, languages, workerMegabytes } = model
    return { name, kind, languages, workerMegabytes, folder: resolve(folder, name) }
  }
  return {
    folder,
    named,
    isHere,
    /** The model for speech: LOCAL_MODEL or the given one, else the first of the table that is installed. */
    chosen(wanted = named): InstalledModel | undefined {
      if (!wanted) return MODELS.map(installed).find(model => model)
      const known = MODELS.find(({ name }) => name === wanted)
      return (known && installed(known)) ?? (isUsable(wanted) ? modelAt(wanted) : undefined)
    },
    /** Installed models that return the times of sentences or words, best first. */
    withTimes(): InstalledModel[] {
      const all = [this.chosen(), ...MODELS.map(installed)]
      return all.filter(model => model !== undefined).filter(({ kind }) => kind !== 'moonshine')
    },
    /** The speech model that a process is fetching into this folder. */
    expected(): Model | undefined {
      const model = expectedIn(folder)
      return !named || named === model?.name ? model : undefined
    },
    /** Path of the voice activity detector's file; undefined if it is missing. */
    detector: () =>
      isHere(DETECTOR) ? resolve(folder, DETECTOR.name, DETECTOR.files[0]?.name ?? '') : undefined,
    /** The model that distinguishes voices: the file SPEAKER_MODEL, else ours. */
    voices(): VoiceModel | undefined {
      if (voices === undefined || voices === VOICES.name) {
        const path = resolve(folder, VOICES.name, VOICES.files[0]?.name ?? '')
        return isHere(VOICES) ? { path, threshold: ALIKE.campplus } : undefined
      }
      const isFile = statSync(voices, { throwIfNoEntry: false })?.isFile()
      return isFile && isUsable(dirname(voices))
        ? { path: resolve(voices), threshold: ALIKE.other }
        : undefined
    },
    /** Treats a folder whose model can't be loaded as missing until one of its files changes. */
    setAside(path: string, why: string): void {
      if (!isUsable(path)) return
      unusable.set(resolve(path), stateOf(path))
      metrics?.modelsUnusable.inc({ model: basename(path) })
      log?.error({ folder: path, why }, 'a model cannot be loaded, so it counts as missing: fetch it again')
    },
  }
}

/** Returns a model outside the table. Its files determine its kind; a name ending in `.en` or `-en` means English. */
function modelAt(path: string): InstalledModel | undefined {
  const known = MODELS.find(({ files }) => files.every(({ name }) => isIntact(path, { name })))
  if (!known) return undefined
  const name = basename(resolve(path))
  return {
    name,
    kind: known.kind,
    folder: resolve(path),
    languages: /[.-]en$/.test(name) ? ['en'] : known.languages,
    workerMegabytes: workerMegabytesOf(
      known.files.reduce((sum, file) => sum + statSync(join(path, file.name)).size, 0),
    ),
  }
}

/** Returns names, sizes and modification times of a folder's files; empty without a folder. */
function stateOf(folder: string): string {
  if (!existsSync(folder)) return ''
  return readdirSync(folder)
    .map(name => {
      // A process that fetches a model creates and removes files.
      const { size, mtimeMs } = statSync(join(folder, name), { throwIfNoEntry: false }) ?? {}
      return `${name} ${size} ${mtimeMs}`
    })
    .join()
}

import { existsSync, readdirSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import type { Around } from '../around.ts'
import type { ModelFiles, VoiceModel } from '../local-model/protocol.ts'
import type { ModelSettings } from '../settings.ts'
import { expectedIn } from './expected.ts'
import { fetchedInto, isIntact } from './intact.ts'
import { ALIKE, DETECTOR, MODELS, type Model, type SpeechModel, VOICES, workerMegabytesOf } from './table.ts'

export type InstalledModel = ModelFiles & Pick<Model, 'name' | 'languages' | 'workerMegabytes'>

export type Models = ReturnType<typeof openModels>

interface Options extends Partial<Pick<Around, 'log' | 'metrics'>> {
  folder: string
  named?: string | undefined
  /** Of the model that tells voices apart. */
  voices?: string | undefined
}

export const modelsOf = (
  { MODEL_DIR, DATA_DIR, LOCAL_MODEL, SPEAKER_MODEL }: ModelSettings,
  around: Partial<Pick<Around, 'log' | 'metrics'>> = {},
): Models =>
  openModels({
    folder: MODEL_DIR ?? join(DATA_DIR, 'models'),
    named: LOCAL_MODEL,
    voices: SPEAKER_MODEL,
    ...around,
  })

/** Opens the folder of models: one folder each, named as in the table. */
export function openModels({ folder, named, voices, log, metrics }: Options) {
  /** State of a folder's files when its model could not be loaded. */
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
    /** The model that recognises speech: LOCAL_MODEL or the given one, else the first of the table that is here. */
    chosen(wanted = named): InstalledModel | undefined {
      if (!wanted) return MODELS.map(installed).find(model => model)
      const known = MODELS.find(({ name }) => name === wanted)
      return (known && installed(known)) ?? (isUsable(wanted) ? modelAt(wanted) : undefined)
    },
    /** The models that give the times of sentences or words, best first. */
    withTimes(): InstalledModel[] {
      const all = [this.chosen(), ...MODELS.map(installed)]
      return all.filter(model => model !== undefined).filter(({ kind }) => kind !== 'moonshine')
    },
    /** The model for speech that a process is fetching into this folder. */
    expected(): Model | undefined {
      const model = expectedIn(folder)
      return !named || named === model?.name ? model : undefined
    },
    /** Path of the voice activity detector's file. */
    detector: () =>
      isHere(DETECTOR) ? resolve(folder, DETECTOR.name, DETECTOR.files[0]?.name ?? '') : undefined,
    /** The model that tells voices apart: the file SPEAKER_MODEL, else ours. */
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
    /** Counts a folder whose model cannot be loaded as missing until one of its files changes. */
    setAside(path: string, why: string): void {
      if (!isUsable(path)) return
      unusable.set(resolve(path), stateOf(path))
      metrics?.modelsUnusable.inc({ model: basename(path) })
      log?.error({ folder: path, why }, 'a model cannot be loaded, so it counts as missing: fetch it again')
    },
  }
}

/** A model outside the table. Its files tell the kind, `.en` or `-en` at the end of its name the language. */
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

/** Names, sizes and times of a folder's files; empty without a folder. */
function stateOf(folder: string): string {
  if (!existsSync(folder)) return ''
  return readdirSync(folder)
    .map(name => {
      // A process that fetches a model makes and removes files.
      const { size, mtimeMs } = statSync(join(folder, name), { throwIfNoEntry: false }) ?? {}
      return `${name} ${size} ${mtimeMs}`
    })
    .join()
}

import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import type { Logger } from '@voxscribe/service'
import type { ModelFiles } from '../local-model/protocol.ts'
import { modelsUnusable } from '../metrics.ts'
import { isIntact } from './intact.ts'
import { DETECTOR, MODELS, type Model, modelNamed, workerMegabytesOf } from './table.ts'

/** A model on this machine. */
export interface InstalledModel extends ModelFiles {
  name: string
  languages: Model['languages']
  workerMegabytes: number
}

/** The folder of models: one folder each, named as in the table. */
export interface Models {
  folder: string
  isHere(model: Model): boolean
  /** The model that recognises speech: LOCAL_MODEL, else what was chosen here, else the first of the table. */
  chosen(): InstalledModel | undefined
  /** Chooses for this folder; LOCAL_MODEL comes before it. */
  choose(name: string): void
  remove(name: string): void
  /** Path of the voice activity detector's file. */
  detector(): string | undefined
  /** Counts a folder whose model cannot be loaded as missing until one of its files changes. */
  setAside(folder: string, why: string): void
}

const CHOICE = 'chosen'

interface Options {
  folder: string
  named?: string | undefined
  log?: Logger | undefined
}

export function openModels({ folder, named, log }: Options): Models {
  /** State of a folder's files when its model could not be loaded. */
  const unusable = new Map<string, string>()
  const hasAll = (path: string, { files }: Model) =>
    files.every(file => isIntact(path, file)) && unusable.get(resolve(path)) !== stateOf(path)
  const isHere = (model: Model) => hasAll(join(folder, model.name), model)
  const installed = (model: Model | undefined): InstalledModel | undefined => {
    if (!model || model.kind === 'detector' || !isHere(model)) return undefined
    const { name, kind, languages, workerMegabytes } = model
    return { name, kind, languages, workerMegabytes, folder: resolve(folder, name) }
  }
  /** A model that the table does not name: its files tell the kind, `.en` or `-en` at the end of its name the language. */
  const modelAt = (path: string): InstalledModel | undefined => {
    const known = MODELS.find(({ files, ...model }) =>
      hasAll(path, { ...model, files: files.map(({ name, from }) => ({ name, from })) }),
    )
    if (!known || known.kind === 'detector') return undefined
    const name = basename(resolve(path))
    const languages = /[.-]en$/.test(name) ? ['en'] : known.languages
    const bytes = known.files.reduce((sum, file) => sum + statSync(join(path, file.name)).size, 0)
    return {
      name,
      kind: known.kind,
      folder: resolve(path),
      languages,
      workerMegabytes: workerMegabytesOf(bytes),
    }
  }
  const choice = () => {
    const path = join(folder, CHOICE)
    return existsSync(path) ? readFileSync(path, 'utf8').trim() : ''
  }
  return {
    folder,
    isHere,
    chosen() {
      if (named) return installed(modelNamed(named)) ?? modelAt(named)
      const found = [modelNamed(choice()), ...MODELS].map(installed)
      return found.find(model => model)
    },
    choose: name => writeFileSync(join(folder, CHOICE), name),
    remove: name => rmSync(join(folder, name), { recursive: true, force: true }),
    detector: () =>
      isHere(DETECTOR) ? resolve(folder, DETECTOR.name, DETECTOR.files[0]?.name ?? '') : undefined,
    setAside(path, why) {
      if (unusable.get(resolve(path)) === stateOf(path)) return
      unusable.set(resolve(path), stateOf(path))
      modelsUnusable.inc({ model: basename(path) })
      log?.error({ folder: path, why }, 'a model cannot be loaded, so it counts as missing: fetch it again')
    },
  }
}

/** Names, sizes and times of a folder's files. */
const stateOf = (folder: string): string =>
  readdirSync(folder)
    .map(name => {
      const { size, mtimeMs } = statSync(join(folder, name))
      return `${name} ${size} ${mtimeMs}`
    })
    .join('\n')

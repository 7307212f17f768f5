import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import type { ModelFiles } from '../local-model/protocol.ts'
import { DETECTOR, MODELS, type Model, modelNamed } from './table.ts'

/** A model on this machine. */
export interface InstalledModel extends ModelFiles {
  name: string
  languages: Model['languages']
}

/** The folder of models: one folder each, named as in the table, whoever has put it there. */
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
}

const CHOICE = 'chosen'

const hasAll = (folder: string, files: readonly { name: string }[]) =>
  files.every(({ name }) => statSync(join(folder, name), { throwIfNoEntry: false })?.size)

export function openModels({ folder, named }: { folder: string; named?: string | undefined }): Models {
  const isHere = (model: Model) => hasAll(join(folder, model.name), model.files)
  const installed = (model: Model | undefined): InstalledModel | undefined => {
    if (!model || model.kind === 'detector' || !isHere(model)) return undefined
    const { name, kind, languages } = model
    return { name, kind, languages, folder: resolve(folder, name) }
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
  }
}

/** A model that the table does not name: its files tell the kind, `.en` or `-en` at the end of its name the language. */
function modelAt(path: string): InstalledModel | undefined {
  const known = MODELS.find(({ files }) => hasAll(path, files))
  if (!known || known.kind === 'detector') return undefined
  const name = basename(resolve(path))
  const languages = /[.-]en$/.test(name) ? ['en'] : known.languages
  return { name, kind: known.kind, folder: resolve(path), languages }
}

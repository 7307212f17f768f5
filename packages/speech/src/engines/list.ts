import type { Models } from '../models/folder.ts'
import { DEFAULT } from '../models/table.ts'
import { CORES, type EngineSettings } from '../settings.ts'
import type { EngineEntry } from './entry.ts'
import { kindOf } from './kinds.ts'
import { knownModel } from './known-models.ts'

type Settings = Pick<
  EngineSettings,
  'ENGINES' | 'SPEECH_ENGINE' | 'OPENAI_API_KEY' | 'OPENAI_BASE_URL' | 'OPENAI_MODEL'
>

/** Returns the installation's engines, best first: ENGINES, else those that other settings and the machine provide. */
export function engineList(settings: Settings): EngineEntry[] {
  if (settings.ENGINES) return settings.ENGINES
  const { SPEECH_ENGINE: chosen, OPENAI_API_KEY: key, OPENAI_BASE_URL: url, OPENAI_MODEL: model } = settings
  const all: EngineEntry[] = [
    ...(key ? [{ name: 'openai', kind: 'openai', url, key, model }] : []),
    { name: 'local', kind: 'local' },
    { name: 'sphinx', kind: 'sphinx' },
  ]
  return chosen === 'auto' ? all : all.filter(({ kind }) => kind === chosen)
}

export const isHostedKind = ({ kind }: Pick<EngineEntry, 'kind'>): boolean => kindOf(kind)?.url !== undefined

/** Calls to a provider mostly wait: here they only cost decoding and a few hundred kilobytes. */
const REMOTE_AT_ONCE = 32

/** Returns how many notes a process works on concurrently. */
export function notesAtOnce(settings: EngineSettings): number {
  const isRemote = engineList(settings).some(isHostedKind)
  return settings.TRANSCRIPTION_CONCURRENCY ?? (isRemote ? REMOTE_AT_ONCE : CORES)
}

/** Returns the megabytes of a worker, which loads any local model in the list, else the one for a second hearing. */
export function workerMegabytesIn(settings: Settings, models: Pick<Models, 'chosen'>): number {
  const listed = engineList(settings).flatMap(({ kind, model }) =>
    kind === 'local' ? (models.chosen(model) ?? []) : [],
  )
  const loaded = listed.length ? listed : [models.chosen() ?? DEFAULT]
  return Math.max(...loaded.map(({ workerMegabytes }) => workerMegabytes))
}

const OPENAI_HOST = 'api.openai.com'

/** Returns the models in use whose retirement OpenAI has published. Other servers use the same names. */
export function retiringModels(settings: Settings): { model: string; ends: string }[] {
  return engineList(settings).flatMap(entry => {
    const { kind, model = '', url = kindOf(kind)?.url ?? '' } = entry
    if (kind !== 'openai' || new URL(url).hostname !== OPENAI_HOST) return []
    const { ends } = knownModel(kind, model, url).abilities
    return ends ? [{ model, ends }] : []
  })
}

/** Returns in parentheses where a hosted engine's price and abilities were read; '' for an engine on this machine. */
export function sourceOf({ kind, model = '', url = kindOf(kind)?.url }: EngineEntry): string {
  if (!url) return ''
  const { source, on } = knownModel(kind, model, url)
  return ` (${source}, ${on})`
}

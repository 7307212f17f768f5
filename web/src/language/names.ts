import { MESSENGERS } from '@voxscribe/contracts/channels'
import { i18n } from './i18n.ts'

const WHY_NOT: Record<string, string> = {
  language_not_supported: /*i18n*/ 'it doesn’t know the language',
  language_not_usual: /*i18n*/ 'it doesn’t know the language',
  times_not_given: /*i18n*/ 'it doesn’t say when each word is spoken',
  engine_refused_us: /*i18n*/ 'it wasn’t available',
  engine_refused_audio: /*i18n*/ 'it couldn’t read the recording',
  engine_unknown_answer: /*i18n*/ 'it gave no usable answer',
  engine_budget_used: /*i18n*/ 'today’s limit for it is reached',
  transcription_failed: /*i18n*/ 'it wasn’t available',
  no_speech: /*i18n*/ 'it heard no speech',
  engine_broke: /*i18n*/ 'it couldn’t cope with the recording',
}

/** Why an engine failed, by the code in the response; undefined for a cause that only the operator can fix. */
export const whyNot = (code: string) => WHY_NOT[code] && i18n.t(WHY_NOT[code])

const LOCAL_KINDS = ['local', 'sphinx']
/** Whether an engine runs on another company's servers. Decided by its kind, which defaults to its name. */
export const isElsewhere = ({ name, kind = name }: { name: string; kind?: string | undefined }) =>
  !LOCAL_KINDS.includes(kind)

const PROVIDERS: Record<string, string> = {
  openai: 'OpenAI',
  sphinx: /*i18n*/ 'PocketSphinx, on our own server',
}

/** Names an engine for people: by its provider, or by its model if it runs on this installation. */
export function engineLabel({ name, model = null }: { name: string; model?: string | null }): string {
  if (name !== 'local') return i18n.t(PROVIDERS[name] ?? name)
  if (!model) return i18n.t('A model, on our own server')
  const [family = ''] = model.split('-')
  return i18n.t('{model}, on our own server', { model: `${family[0]?.toUpperCase()}${family.slice(1)}` })
}

const ENGINES: Record<string, string> = {
  local: /*i18n*/ 'a model on our own servers',
  openai: 'OpenAI',
  sphinx: 'PocketSphinx',
}

/** Names an engine with its model, for pages about this installation. */
export const engineWithModel = ({ name, model }: { name: string; model: string }): string =>
  `${i18n.t(ENGINES[name] ?? name)} (${model})`

/** Sources that aren't messengers: the page and the API. */
const OTHERS: Record<string, string> = { web: /*i18n*/ 'Upload', api: 'API' }
const MESSENGERS_BY_NAME: Record<string, { label: string }> = MESSENGERS

/** Returns the name of the channel through which a note came. */
export const sourceLabel = (source: string): string =>
  MESSENGERS_BY_NAME[source]?.label ?? i18n.t(OTHERS[source] ?? source)

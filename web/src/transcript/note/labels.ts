/** Names of the channels by which notes come. */
const SOURCES: Record<string, string> = {
  whatsapp: 'WhatsApp',
  twilio: 'WhatsApp (Twilio)',
  web: 'Upload',
  api: 'API',
}
export const sourceLabel = (source: string): string => SOURCES[source] ?? source

/** Why an engine did not serve, by the code that the answer gives; what only the operator can change is left out. */
export const WHY_NOT: Record<string, string> = {
  language_not_supported: 'it doesn’t know the language',
  engine_refused_us: 'it wasn’t available',
  engine_refused_audio: 'it couldn’t read the recording',
  engine_unknown_answer: 'it gave no usable answer',
  engine_broke: 'it couldn’t cope with the recording',
}

const PROVIDERS: Record<string, string> = { openai: 'OpenAI', sphinx: 'PocketSphinx, on our own server' }

/** Names an engine as a person would: by its provider, or by its model where it runs on this installation. */
export function engineLabel({ name, model = null }: { name: string; model?: string | null }): string {
  if (name !== 'local') return PROVIDERS[name] ?? name
  const family = model?.split('-')[0] ?? 'a model'
  return `${family[0]?.toUpperCase()}${family.slice(1)}, on our own server`
}

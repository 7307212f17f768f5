const OTHERS: Record<string, string> = { openai: 'OpenAI', sphinx: 'PocketSphinx, on our own server' }

/** Names an engine as a person would: whose it is, or which model where it is ours. */
export function engineLabel({ name, model = null }: { name: string; model?: string | null }): string {
  if (name !== 'local') return OTHERS[name] ?? name
  const family = model?.split('-')[0] ?? 'a model'
  return `${family[0]?.toUpperCase()}${family.slice(1)}, on our own server`
}

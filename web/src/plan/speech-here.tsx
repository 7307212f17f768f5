import { useQuery } from '@tanstack/react-query'
import type { PublicConfig } from '@voxscribe/contracts/http'
import { languageLabel } from '@voxscribe/contracts/languages'
import { configQuery, useConfig } from '../api/config.ts'

/** Which engine recognises speech on this installation, and which languages it knows. */
export function SpeechHere({ all }: { all: string }) {
  // An engine may have come since the page was loaded.
  const { data } = useQuery({ ...configQuery, staleTime: 0 })
  return data ? <span className="block text-sm text-soft">{sentence(data.speech, all)}</span> : null
}

/** Divides languages into those that are recognised here and the others. */
export function useKnownLanguages(languages: readonly { id: string; label: string }[]) {
  const known = useConfig().data?.speech?.languages ?? 'all'
  if (known === 'all' || !known.length) return languages
  const [others, here] = [false, true].map(isKnown =>
    languages.filter(({ id }) => id !== 'auto' && known.includes(id) === isKnown),
  )
  return [
    ...languages.filter(({ id }) => id === 'auto'),
    ...here!.map(language => ({ ...language, group: 'Recognised here' })),
    ...others!.map(language => ({ ...language, group: 'Not recognised here at the moment' })),
  ]
}

function sentence(speech: PublicConfig['speech'], all: string): string {
  const [engine] = speech.engines
  if (!engine)
    return 'We can’t transcribe notes at the moment. They are kept and transcribed as soon as we can.'
  const by = `Speech is recognised by ${ENGINES[engine.name] ?? engine.name} (${engine.model})`
  const [first, ...more] = speech.languages === 'all' ? [] : speech.languages.map(languageLabel)
  if (!first) return `${by}, in ${all}.`
  if (more.length > MOST_NAMED) return `${by}, in ${more.length + 1} languages.`
  return more.length ? `${by}, in ${LIST.format([first, ...more])}.` : `${by}, in ${first} only.`
}

const MOST_NAMED = 30
const ENGINES: Record<string, string> = { local: 'a model on our own servers', openai: 'OpenAI' }
const LIST = new Intl.ListFormat('en')

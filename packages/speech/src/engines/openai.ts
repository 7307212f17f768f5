import { hosted } from './kind.ts'
import type { HostedModel } from './known-models.ts'
import { readAnswer } from './openai-answer.ts'

/** OpenAI refuses a whole call if a keyword contains one of these. */
const UNSENDABLE = /[<>\r\n\u2028\u2029]/

type Fields = NonNullable<HostedModel['fields']>

/** Fields that request times; sentence times are already part of Whisper's response format. */
const TIMES: Partial<Record<HostedModel['times'], Fields>> = {
  words: { response_format: 'verbose_json', timestamp_granularities: ['segment', 'word'] },
}

/** Appends brackets to the names of lists. */
const inForm = (fields: Fields): Fields =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [typeof value === 'string' ? name : `${name}[]`, value]),
  )

/** OpenAI's transcription, or any server with the same protocol: Groq, Fireworks, Speaches, vLLM. */
export const openai = hosted(
  {
    url: 'https://api.openai.com/v1',
    path: '/audio/transcriptions',
    wordsFor: words => words.filter(word => !UNSENDABLE.test(word)),
    fieldsOf({ model, abilities, hint, words }) {
      const { named = language => ({ language }) } = abilities
      const fields = { ...abilities.fields, ...TIMES[abilities.times] }
      const inField: Fields =
        abilities.words === 'keywords' ? { keywords: words } : { prompt: words.join(', ') }
      return inForm({ model, ...fields, ...(hint && named(hint)), ...(words.length && inField) })
    },
    read: readAnswer,
  },
  'set OPENAI_API_KEY',
)

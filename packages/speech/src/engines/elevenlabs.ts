import { languageIdOf } from '@voxscribe/contracts/languages'
import { joinerOf } from '@voxscribe/contracts/text'
import { z } from 'zod'
import { lengthOfAll } from '../audio/pieces.ts'
import { areTimes, estimateTimes, inSentences, meanConfidence, noteTime } from './engine.ts'
import { hosted } from './kind.ts'

/** Follows the types of @elevenlabs/elevenlabs-js 2.73.0; not tested against the real service. */
const Answer = z.object({
  text: z.string(),
  language_code: z.string().nullish().catch(null),
  words: z
    .array(
      z.object({
        text: z.string(),
        start: z.number().nullish(),
        end: z.number().nullish(),
        /** Sounds and spaces aren't words. */
        type: z.string(),
        speaker_id: z.string().nullish().catch(null),
        logprob: z.number().nullish().catch(null),
      }),
    )
    .nullish()
    .catch(null),
})

/** Limits of a keyterm: characters, words, and characters that it may not contain. */
const TERM_CHARACTERS = 49
const TERM_WORDS = 5
const UNSENDABLE = /[<>{}[\]\\]/
const isTerm = (word: string) =>
  word.length <= TERM_CHARACTERS && word.trim().split(/\s+/).length <= TERM_WORDS && !UNSENDABLE.test(word)

/** ElevenLabs' speech to text: Scribe. */
export const elevenlabs = hosted(
  {
    url: 'https://api.elevenlabs.io',
    path: '/v1/speech-to-text',
    headers: key => ({ authorization: null, 'xi-api-key': key }),
    wordsFor: words => words.filter(isTerm),
    fieldsOf: ({ model, abilities, hint, words }) => ({
      model_id: model,
      tag_audio_events: 'false',
      timestamps_granularity: abilities.times === 'none' ? 'none' : 'word',
      language_code: hint,
      diarize: abilities.speakers ? 'true' : undefined,
      keyterms: words,
    }),
    read(answer, pieces, { times }) {
      const { text, language_code: code, words } = Answer.parse(answer)
      const language = languageIdOf(code ?? '') ?? 'auto'
      const spokenWords = (words ?? []).filter(({ type, text }) => type === 'word' && text.trim())
      const confidences = spokenWords.map(({ logprob }) =>
        logprob == null ? null : Math.exp(Math.min(0, logprob)),
      )
      const spans = spokenWords.map(({ start, end }) => ({ from: start ?? -1, to: end ?? -1 }))
      if (times === 'none' || !spokenWords.length || !areTimes(spans, lengthOfAll(pieces))) {
        const mean = meanConfidence(confidences.map(confidence => ({ from: 0, to: 1, confidence })))
        return { segments: estimateTimes(text, pieces, mean), language, timesExact: false }
      }
      const inNote = spokenWords.map(({ text, start, end, speaker_id: speaker }, at) => ({
        text: text.trim(),
        from: noteTime(pieces, start ?? 0),
        to: noteTime(pieces, end ?? 0, true),
        confidence: confidences[at] ?? null,
        ...(speaker && { speaker }),
      }))
      return { segments: inSentences(inNote, joinerOf(language)), language, timesExact: true }
    },
  },
  'list an engine of the kind elevenlabs in ENGINES',
)

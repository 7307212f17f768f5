import { languageIdOf } from '@voxscribe/contracts/languages'
import { z } from 'zod'
import { lengthOfAll } from '../audio/pieces.ts'
import { areTimes, estimateTimes, noteTime } from './engine.ts'
import { hosted } from './kind.ts'

/** Follows the types of @mistralai/mistralai 2.7.0; not tested against the real service. */
const Answer = z.object({
  text: z.string(),
  language: z.string().nullish().catch(null),
  segments: z
    .array(
      z.object({
        text: z.string(),
        start: z.number(),
        end: z.number(),
        speaker_id: z.string().nullish().catch(null),
      }),
    )
    .nullish()
    // Times may be null; then only the text is used.
    .catch(null),
})

/** Mistral's transcription: Voxtral. */
export const mistral = hosted(
  {
    url: 'https://api.mistral.ai',
    path: '/v1/audio/transcriptions',
    // An item may not contain spaces or commas.
    wordsFor: words => words.map(word => word.trim().replace(/[\s,]+/g, '_')),
    fieldsOf: ({ model, abilities, hint, words }) => ({
      model,
      language: hint,
      timestamp_granularities: abilities.times === 'none' ? undefined : 'segment',
      diarize: abilities.speakers ? 'true' : undefined,
      context_bias: words,
    }),
    read(answer, pieces, { times }) {
      const { text, language, segments } = Answer.parse(answer)
      const spoken = languageIdOf(language ?? '') ?? 'auto'
      const spokenSegments = (segments ?? []).filter(segment => segment.text.trim())
      const spans = spokenSegments.map(({ start, end }) => ({ from: start, to: end }))
      if (times === 'none' || !spokenSegments.length || !areTimes(spans, lengthOfAll(pieces)))
        return { segments: estimateTimes(text, pieces, null), language: spoken, timesExact: false }
      return {
        segments: spokenSegments.map(({ text, start, end, speaker_id: speaker }) => ({
          from: noteTime(pieces, start),
          to: noteTime(pieces, end, true),
          text: text.trim(),
          confidence: null,
          ...(speaker && { speaker }),
        })),
        language: spoken,
        timesExact: true,
      }
    },
  },
  'list an engine of the kind mistral in ENGINES',
)

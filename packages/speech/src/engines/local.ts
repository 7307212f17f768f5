import { languageIdOf } from '@voxscribe/contracts/languages'
import { reason } from '@voxscribe/contracts/reasons'
import type { Span } from '../audio/levels.ts'
import { lengthOfAll } from '../audio/pieces.ts'
import { EngineGone, Unworkable } from '../errors.ts'
import { CannotLoad, hasBroken, type NativePool } from '../local-model/pool.ts'
import type { Recognised } from '../local-model/protocol.ts'
import type { InstalledModel, Models } from '../models/folder.ts'
import {
  type Engine,
  estimateTimes,
  hundredth,
  inSentences,
  mostSpoken,
  type Part,
  type PartSpeech,
  type Word,
} from './engine.ts'
import { type Abilities, abilitiesOf } from './entry.ts'
import type { Kind } from './kind.ts'
import { withoutOverlaps } from './overlaps.ts'

/** Two concurrent parts end at about the same time if no part is much longer than the others. */
const LOADED_HERE = { partSeconds: 120, partsAtOnce: 2, perMinute: 0 } as const

/** Kinds of models that `local` loads. The model determines the languages. */
export const LOCAL = {
  /** Whisper loses the end of 28 s, and drops everything past 29.5 s. */
  whisper: { ...LOADED_HERE, pieceSeconds: 20, times: 'segments' },
  /** From 9.4 s on, sherpa-onnx returns an empty text. */
  moonshine: { ...LOADED_HERE, pieceSeconds: 8, times: 'none' },
  transducer: { ...LOADED_HERE, pieceSeconds: 30, times: 'words' },
  'sense-voice': { ...LOADED_HERE, pieceSeconds: 30, times: 'words' },
} as const satisfies Record<string, Omit<Abilities, 'languages'>>

/** Limits on a busy machine: seconds per second of audio, and milliseconds to load a model. */
const SLOWEST = 10
const START_MS = 60_000
/** A text that ends this long before its piece, which ends with speech, is missing words. */
const UNHEARD_SECONDS = 1.5
/** Overlap with the rest, which is recognized again. */
const AGAIN_SECONDS = 1
/** A piece whose text covers less than this share is halved, down to `HALVED_TO_SECONDS`. */
const LITTLE_SHARE = 0.25
const HALVED_TO_SECONDS = 2
/** Whisper base took 43 of 100 Spanish clips of 2 s for another language, 12 of 50 of 3 s, and 1 of 27 of 20 s. */
const SURE_FROM_SECONDS = 5

/** The kind of engine that runs a model on this machine. The model may arrive at any time. */
export const local: Kind = {
  howToGet: 'fetch a model with `npm run model`',
  open:
    async (entry, { models, pool }) =>
    () => {
      const model = models.chosen(entry.model)
      if (!model) return undefined
      const engine = createLocal(pool, model, models)
      return { ...engine, name: entry.name, abilities: abilitiesOf(entry, engine.abilities) }
    },
}

/** Speech recognition on this machine, with sherpa-onnx in child processes. */
export function createLocal(
  pool: NativePool,
  model: InstalledModel,
  { setAside }: Pick<Models, 'setAside'>,
): Engine {
  const { name, kind, folder, languages } = model

  async function recogniseSpan(
    part: Part,
    span: Span,
    language: string,
    signal: AbortSignal,
  ): Promise<SpanSpeech> {
    const { samples: path, gain } = part
    const task = { do: 'recognise', model: { kind, folder }, path, gain, span, language } as const
    const seconds = span.to - span.from
    const limitMs = START_MS + SLOWEST * 1000 * seconds
    const heard = await pool.run(task, { signal, limitMs, priority: -part.noteSeconds }).catch(error => {
      signal.throwIfAborted()
      throw hasBroken(error) ? new Unworkable(reason('engine_broke')) : error
    })
    const again = (from: number, to: number) => recogniseSpan(part, { from, to }, language, signal)
    const speech = { ...span, ...speechOf(heard, span) }
    const last = heard.segments.at(-1) ?? heard.tokens.at(-1)
    const written = heard.text.trim() ? (last?.to ?? seconds) : 0
    if (seconds < HALVED_TO_SECONDS || seconds - written < UNHEARD_SECONDS) return speech
    if (written < seconds * LITTLE_SHARE) {
      const middle = (span.from + span.to) / 2
      const halves = await Promise.all([again(span.from, middle), again(middle, span.to)])
      return { ...span, ...together(halves) }
    }
    const rest = span.from + Math.max(written, 2 * AGAIN_SECONDS) - AGAIN_SECONDS
    const spans = [{ ...speech, to: span.from + written }, await again(rest, span.to)]
    return { ...span, ...together(spans) }
  }

  /** Recognizes pieces again whose language has little speech in the part and is not one of the person's. */
  function inLikelyLanguages(part: Part, spans: SpanSpeech[], signal: AbortSignal): Promise<SpanSpeech[]> {
    const isSure = ({ language }: SpanSpeech) =>
      lengthOfAll(spans.filter(each => each.language === language)) >= SURE_FROM_SECONDS
    const sure = spans.filter(isSure)
    return Promise.all(
      spans.map(async span => {
        const { language: guess } = span
        if (guess === 'auto' || sure.includes(span)) return span
        const likely = (await part.likelyLanguage?.(guess)) ?? guess
        if (likely === guess) return span
        const language = mostSpoken(sure) ?? likely
        if (!languages.includes(language)) return span
        const again = await recogniseSpan(part, span, language, signal)
        return again.segments.length ? again : span
      }),
    )
  }

  return {
    name: 'local',
    kind: 'local',
    model: name,
    abilities: { ...LOCAL[kind], partsAtOnce: pool.size, languages },
    async recognise(part, asked, signal) {
      const hint = asked === 'auto' ? '' : asked
      const guessed = Promise.all(part.pieces.map(piece => recogniseSpan(part, piece, hint, signal)))
      const spans = await guessed
        .then(spans => inLikelyLanguages(part, spans, signal))
        .catch(error => {
          if (!(error instanceof CannotLoad)) throw error
          setAside(folder, error.message)
          throw new EngineGone(`${name} cannot be loaded`, { cause: error })
        })
      const speech = together(spans)
      const [first = asked, ...others] = languages
      const language = speech.language === 'auto' ? (others.length ? asked : first) : speech.language
      return { ...speech, language }
    },
  }
}

type SpanSpeech = PartSpeech & Span

const together = (spans: SpanSpeech[]): PartSpeech => ({
  segments: withoutOverlaps(spans).flatMap(({ segments }) => segments),
  language: mostSpoken(spans) ?? 'auto',
  timesExact: spans.every(({ timesExact }) => timesExact),
})

/** Returns the speech of a piece, with times in seconds of the note. */
export function speechOf(heard: Recognised, { from, to }: Span): PartSpeech {
  const language = languageIdOf(heard.language) ?? 'auto'
  const inNote = (second: number) => hundredth(Math.min(from + second, to))
  const words = wordsOf(heard.tokens).map(word => ({ ...word, from: inNote(word.from), to: inNote(word.to) }))
  const isSpoken = ({ text }: { text: string }) => text.trim()
  if (heard.segments.length) {
    let next = 0
    const segments = heard.segments.filter(isSpoken).map(segment => {
      const times = { from: inNote(segment.from), to: inNote(segment.to) }
      const within = (second: number) => Math.min(Math.max(second, times.from), times.to)
      const text = segment.text.trim()
      // Words are matched to segments by text, as their times differ by up to half a second.
      const segmentWords = text.split(/\s+/)
      const first = words.findIndex(
        (_, at) => at >= next && segmentWords.every((word, index) => words[at + index]?.text === word),
      )
      if (first < 0) return { ...times, text, confidence: null }
      next = first + segmentWords.length
      const its = words
        .slice(first, next)
        .map(word => ({ ...word, from: within(word.from), to: within(word.to) }))
      return { ...times, text, confidence: null, words: its }
    })
    return { segments, language, timesExact: true }
  }
  if (words.length) return { segments: inSentences(words), language, timesExact: true }
  const laid = estimateTimes(heard.text, [{ from, to }], null).filter(isSpoken)
  return { segments: laid, language, timesExact: false }
}

/** Joins tokens into words; a word starts with a space or `▁`. */
function wordsOf(tokens: Recognised['tokens']): Word[] {
  const words: Word[] = []
  for (const { text, from, to, confidence } of tokens) {
    const isNew = /^[ ▁]/.test(text) || !words.length
    const last = words.at(-1)
    const written = text.replace(/^[ ▁]/, '')
    if (isNew || !last) words.push({ text: written, from, to, confidence })
    else {
      last.text += written
      last.to = to
    }
  }
  // A character made of several tokens is broken here, but whole in the text.
  return words.some(({ text }) => text.includes('\uFFFD')) ? [] : words
}

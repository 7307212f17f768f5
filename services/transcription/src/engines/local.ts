import { languageIdOf } from '@voxscribe/contracts/languages'
import type { Span } from '../audio/span.ts'
import { EngineGone, Unworkable } from '../failure.ts'
import { CannotLoad, hasBroken, type NativePool } from '../local-model/pool.ts'
import type { Heard } from '../local-model/protocol.ts'
import type { InstalledModel, Models } from '../models/folder.ts'
import { ENGINE_BROKE } from '../reasons.ts'
import { LOCAL } from './abilities.ts'
import { type Engine, type HeardSegment, layOver, type Part, type PartSpeech } from './engine.ts'
import { withoutOverlaps } from './overlaps.ts'
import { endsSentence } from './sentences.ts'
import { segmentOf } from './sphinx.ts'

/** A worker may take this long for a second of audio on a busy machine, and this long to load its model. */
const SLOWEST = 10
const START_MS = 60_000
/** A model that stops so long before the end of a piece, which ends with speech, has left something out. */
const UNHEARD_SECONDS = 1.5
/** Seconds before the rest that are heard again with it. */
const AGAIN_SECONDS = 1
/** Of a piece that gave text for less than this, both halves are heard, down to `HALVED_TO_SECONDS`. */
const LITTLE_SHARE = 0.25
const HALVED_TO_SECONDS = 2

/** Speech recognition on this machine: sherpa-onnx in child processes. */
export const createLocal = (
  pool: NativePool,
  model: InstalledModel,
  { setAside }: Pick<Models, 'setAside'>,
): Engine => ({
  name: 'local',
  model: model.name,
  takes: { ...LOCAL[model.kind], partsAtOnce: pool.size, languages: model.languages },
  async recognise(part, language, signal) {
    const heard = await Promise.all(
      part.pieces.map(piece => hear(pool, model, part, piece, language, signal)),
    ).catch(error => {
      if (!(error instanceof CannotLoad)) throw error
      setAside(model.folder, error.message)
      throw new EngineGone(`${model.name} cannot be loaded`, { cause: error })
    })
    const languages = heard.flatMap(each => (each.language === 'auto' ? [] : [each.language]))
    return {
      segments: withoutOverlaps(heard).flatMap(each => each.segments),
      language: languages[0] ?? onlyLanguageOf(model) ?? (language === 'auto' ? 'auto' : language),
      timesExact: heard.every(each => each.timesExact),
    }
  },
})

const onlyLanguageOf = ({ languages }: InstalledModel) => (languages.length === 1 ? languages[0] : undefined)

async function hear(
  pool: NativePool,
  model: InstalledModel,
  part: Part,
  span: Span,
  language: string,
  signal: AbortSignal,
): Promise<PartSpeech & Span> {
  const task = {
    do: 'recognise',
    model: { kind: model.kind, folder: model.folder },
    path: part.samples,
    gain: part.gain,
    span,
    language: language === 'auto' ? '' : language,
  } as const
  const seconds = span.to - span.from
  const limitMs = START_MS + SLOWEST * 1000 * seconds
  const heard = await pool.run(task, { signal, limitMs, priority: -part.noteSeconds }).catch(error => {
    signal.throwIfAborted()
    throw hasBroken(error) ? new Unworkable(ENGINE_BROKE) : error
  })
  const again = (from: number, to: number) => hear(pool, model, part, { from, to }, language, signal)
  const speech = { ...span, ...speechOf(heard, span) }
  const last = heard.segments.at(-1) ?? heard.tokens.at(-1)
  const written = heard.text.trim() ? (last?.to ?? seconds) : 0
  if (seconds < HALVED_TO_SECONDS || seconds - written < UNHEARD_SECONDS) return speech
  if (written < seconds * LITTLE_SHARE) {
    const middle = (span.from + span.to) / 2
    return together(...(await Promise.all([again(span.from, middle), again(middle, span.to)])))
  }
  const rest = span.from + Math.max(written, 2 * AGAIN_SECONDS) - AGAIN_SECONDS
  return together({ ...speech, to: span.from + written }, await again(rest, span.to))
}

function together(first: PartSpeech & Span, second: PartSpeech & Span): PartSpeech & Span {
  return {
    from: first.from,
    to: second.to,
    segments: withoutOverlaps([first, second]).flatMap(each => each.segments),
    language: first.language,
    timesExact: first.timesExact && second.timesExact,
  }
}

/** `[ Silence ]`, `(wind blowing)`, `♪`: Whisper's marks for silence and noise. */
const NO_SPEECH = /^\s*(\[[^\]]*\]|\([^)]*\)|\*[^*]*\*|[♪♫\s]+)[.!]?\s*$/

/** Returns what was heard in a piece, in seconds of the note. */
export function speechOf(heard: Heard, { from, to }: Span): PartSpeech {
  const language = languageIdOf(heard.language) ?? 'auto'
  const inNote = (second: number) => Math.round(Math.min(from + second, to) * 100) / 100
  const words = wordsOf(heard.tokens).map(word => ({ ...word, from: inNote(word.from), to: inNote(word.to) }))
  const isSpoken = ({ text }: { text: string }) => text.trim() && !NO_SPEECH.test(text)
  if (heard.segments.length) {
    const segments = heard.segments.filter(isSpoken).map(segment => {
      const times = { from: inNote(segment.from), to: inNote(segment.to) }
      const its = words.filter(word => word.from >= times.from && word.from < times.to)
      const text = segment.text.trim()
      return { ...times, text, confidence: null, ...(its.length ? { words: its } : {}) }
    })
    return { segments, language, timesExact: true }
  }
  if (words.length) return { segments: inSentences(words), language, timesExact: true }
  const laid = layOver(heard.text, [{ from, to }], null).filter(isSpoken)
  return { segments: laid, language, timesExact: false }
}

type Words = NonNullable<HeardSegment['words']>

/** Puts tokens together to words: one begins with a space, or with the sign that stands for it. */
function wordsOf(tokens: Heard['tokens']): Words {
  const words: Words = []
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
  // A character of several tokens comes in broken pieces; the text itself has it whole.
  return words.some(({ text }) => text.includes('\uFFFD')) ? [] : words
}

function inSentences(words: Words): HeardSegment[] {
  const sentences: Words[] = [[]]
  for (const word of words) {
    sentences.at(-1)?.push(word)
    if (endsSentence(word.text)) sentences.push([])
  }
  return sentences.flatMap(segmentOf)
}

import { hash } from 'node:crypto'
import { SPEAKERS_MAX } from '@voxscribe/contracts/limits'
import { joinedText } from '@voxscribe/contracts/paragraphs'
import { type Reason, reason } from '@voxscribe/contracts/reasons'
import { countWords } from '@voxscribe/contracts/text'
import PQueue from 'p-queue'
import { gainFor, type Span } from '../audio/levels.ts'
import { concatenated, lengthOfAll, partsOf, SHORTEST_SECONDS } from '../audio/pieces.ts'
import { bordersOf, type Sound } from '../audio/sounds.ts'
import {
  type Engine,
  meanConfidence,
  mostSpoken,
  type PartSpeech,
  type SkippedEngine,
} from '../engines/engine.ts'
import { withoutOverlaps } from '../engines/overlaps.ts'
import type { Metrics } from '../host.ts'
import { withoutMarks, withoutPhantoms } from './doubt.ts'
import { UNSURE } from './loops.ts'
import { inPassages } from './passages.ts'
import type { SavedPart, Speech, UsedEngine } from './speech.ts'

/** A longer silence is cut out before a call: it costs money, and engines invent words for it. */
const MUCH_SILENCE_SECONDS = 2
/** With less speech than this, an unknown language is taken from the person's history. */
const DETECTED_FROM_SECONDS = 5
/** Parts that are cut ahead of a free slot of the engine. */
const PARTS_AHEAD = 2

interface Deps {
  engine: Engine
  /** Engines that didn't serve. */
  skipped?: SkippedEngine[]
  /** Aborts paid calls to a provider; on shutdown it fires later than the signal of other work. */
  callSignal?: AbortSignal | undefined
  words?: readonly string[]
  /** Stores a finished part for later attempts, and the speech found so far: from, to, from, to. */
  savePart(part: SavedPart, spokenSoFar: number[]): Promise<unknown>
  /** The language to assume for little speech, by what this person speaks; `guess` is the engine's, `auto` if none. */
  likelyLanguage(guess: string): Promise<string>
  metrics?: Metrics | undefined
}

interface Note {
  _id: string
  attempt: number
  language: string
  mime: string | null
  parts: SavedPart[]
}

/** Transcribes a note part by part. Reuses the finished parts of earlier attempts. */
export async function listenTo(
  { engine, skipped = [], words = [], savePart, likelyLanguage, callSignal, metrics }: Deps,
  note: Note,
  sound: Sound,
  signal: AbortSignal,
): Promise<Speech> {
  const { samples, seconds, levels, speech: spoken, folder } = sound
  const failed = new AbortController()
  const speech = sound.detect(AbortSignal.any([signal, failed.signal]))
  const plan = partsOf({ seconds, levels, speech }, engine.abilities)
  const { value: first } = await plan.next()
  const whole = first && originalFor(engine, note, sound, first)
  const { value: second } = whole ? await plan.next() : {}
  const original = second ? null : whole
  const cuts: Span[][] = []
  let isCut = false
  async function* inParts() {
    const begun = [first, second].filter(pieces => pieces !== undefined)
    for await (const pieces of original ? [[{ from: 0, to: seconds }]] : concatenated(begun, plan)) {
      cuts.push(pieces)
      yield pieces
    }
    // On shutdown, the detector may have stopped early.
    signal.throwIfAborted()
    isCut = true
  }
  const common = {
    samples,
    folder,
    gain: gainFor(levels),
    noteSeconds: seconds,
    words,
    ...(note.language === 'auto' && { likelyLanguage }),
    ...(callSignal && { callSignal }),
    ...(original && { original }),
  }

  // Saving is sequential, so each part is saved with all the speech known by then.
  const saving = new PQueue({ concurrency: 1 })

  const begun: Promise<SavedPart>[] = []

  /** With an engine that takes a part as a whole, the first part's language applies to the others. */
  async function languageOf(index: number): Promise<string> {
    if (!index || engine.abilities.pieceSeconds || note.language !== 'auto') return note.language
    return mostSpoken(await Promise.all(begun.slice(0, 1))) ?? 'auto'
  }

  async function recognise(pieces: Span[], index: number): Promise<SavedPart> {
    const which = {
      engine: `${engine.name} ${engine.model}`,
      asked: note.language,
      from: pieces[0]?.from ?? 0,
      to: pieces.at(-1)?.to ?? 0,
    }
    const saved = note.parts.find(part => cutOf(part) === cutOf(which))
    if (saved) return saved
    const language = await languageOf(index)
    const key = hash('sha256', `speech-call ${note._id} ${note.attempt} ${index}`)
    signal.throwIfAborted()
    const started = performance.now()
    const heard = withoutMarks(await engine.recognise({ ...common, pieces, key }, language, signal))
    const ratio = (performance.now() - started) / 1000 / lengthOfAll(pieces)
    metrics?.engineRatio.observe({ engine: engine.name }, ratio)
    const part = { ...which, ...heard }
    // A note without words goes to the next engine and may wait for it, so its only part isn't saved.
    if (!isCut || cuts.length > 1 || !heard.segments.length)
      await saving.add(() => savePart(part, bordersOf(spoken)))
    return part
  }

  const work = (pieces: Span[], index: number) => (begun[index] = recognise(pieces, index))
  const heard = withoutOverlaps(await runConcurrently(engine.abilities.partsAtOnce, inParts(), work, failed))
  const { parts, loops, isDoubtful } = withoutPhantoms(heard, engine.name, metrics)
  const sent = cuts.reduce((sum, pieces) => sum + lengthOfAll(pieces), 0)
  const cost = (sent / 60) * engine.abilities.perMinute
  const used = { name: engine.name, model: engine.model, instead: skipped }
  const isShort = note.language === 'auto' && lengthOfAll(spoken) < DETECTED_FROM_SECONDS
  const isGuessed = isShort && !mostSpoken(parts) && parts.some(part => part.segments.length)
  const text = joined(parts, used, cost, isGuessed ? await likelyLanguage('auto') : 'auto')
  return {
    ...withSpeakers(text, parts.length),
    loops,
    notices: noticesOf(text, engine, note.language, isDoubtful),
  }
}

/** Returns the uploaded file if the engine takes its type, would hear the same audio, and there is little silence. */
function originalFor({ abilities }: Engine, { mime }: Note, sound: Sound, only: Span[]) {
  const { original, seconds, mayPlayDifferently } = sound
  const ending = abilities.originals?.[mime ?? '']
  if (!ending || mayPlayDifferently || seconds < SHORTEST_SECONDS) return null
  if (seconds - lengthOfAll(only) > MUCH_SILENCE_SECONDS) return null
  return { path: original, name: `note.${ending}` }
}

function noticesOf(speech: Speech, { abilities }: Engine, asked: string, isDoubtful: boolean): Reason[] {
  if (!speech.text) return speech.notices
  return [
    abilities.languages !== 'all' && abilities.languages.length === 1 && asked === 'auto'
      ? reason('english_only')
      : [],
    isDoubtful || (speech.confidence ?? 1) < UNSURE ? reason('doubtful') : [],
  ].flat()
}

/** Runs tasks concurrently as they come. The first failure stops all others and is thrown. */
async function runConcurrently<T, R>(
  atOnce: number,
  all: AsyncIterable<T>,
  work: (one: T, index: number) => Promise<R>,
  failed: AbortController,
): Promise<R[]> {
  const queue = new PQueue({ concurrency: atOnce })
  const fail = (error: unknown) => {
    queue.clear()
    failed.abort(error)
  }
  const results: R[] = []
  const run = async (one: T, index: number) => {
    results[index] = await work(one, index)
  }
  let count = 0
  try {
    for await (const one of all) {
      const index = count++
      void queue.add(() => run(one, index).catch(fail))
      await queue.onSizeLessThan(PARTS_AHEAD)
      failed.signal.throwIfAborted()
    }
  } catch (error) {
    fail(error)
  }
  await queue.onIdle()
  failed.signal.throwIfAborted()
  return results
}

/** Identifies a cut of a note for an engine and a requested language. */
const cutOf = ({ engine, asked, from, to }: Pick<SavedPart, 'engine' | 'asked' | 'from' | 'to'>): string =>
  `${engine} ${asked} ${from} ${to}`

/** Numbers the speakers that an engine distinguished; drops those of several parts, which it heard separately. */
function withSpeakers(speech: Speech, parts: number): Speech {
  const names = [...new Set(speech.segments.map(({ speaker }) => speaker))]
  const isSure = parts === 1 && names.length > 1 && names.length <= SPEAKERS_MAX && !names.includes(undefined)
  const idOf = (name: string | undefined) => String(names.indexOf(name) + 1)
  const segments = speech.segments.map(({ speaker, ...segment }) =>
    isSure ? { ...segment, speaker: idOf(speaker) } : segment,
  )
  return {
    ...speech,
    segments,
    ...(isSure && { speakers: names.map(name => ({ id: idOf(name), name: null })) }),
  }
}

const HAS_WORD = /[\p{L}\p{N}]/u

/** Joins parts into one text, in the language with the most speaking time. */
export function joined(parts: PartSpeech[], engine: UsedEngine | null, cost = 0, usual = 'auto'): Speech {
  const spokenLanguage = mostSpoken(parts) ?? usual
  const written = parts.flatMap(part => part.segments).filter(({ text }) => text.trim())
  // Engines write dots and notes of music when there is no speech.
  const spoken = written.some(({ text }) => HAS_WORD.test(text)) ? written : []
  const timesExact = spoken.length > 0 && parts.every(part => part.timesExact || !part.segments.length)
  const heard = timesExact ? spoken : inPassages(spoken, spokenLanguage)
  const text = joinedText(heard, spokenLanguage)
  return {
    text,
    segments: heard.map(({ noSpeech: _, ...segment }, index) => ({ id: String(index + 1), ...segment })),
    timesExact,
    wordCount: countWords(text),
    confidence: meanConfidence(heard),
    spokenLanguage,
    engine,
    engineCost: cost,
    notices: text ? [] : [reason('no_speech')],
  }
}

export const silence: Speech = joined([], null)

import { derivedId } from '@voxscribe/contracts/events'
import type { Reason } from '@voxscribe/contracts/reasons'
import PQueue from 'p-queue'
import { gainFor } from '../audio/detector.ts'
import type { Ffmpeg } from '../audio/ffmpeg.ts'
import { lengthOfAll, partsOf, SHORTEST_SECONDS } from '../audio/pieces.ts'
import type { Sound } from '../audio/sounds.ts'
import type { Span } from '../audio/span.ts'
import { longestPart } from '../engines/abilities.ts'
import { type Engine, meanOf, type PartSpeech, type PassedBy } from '../engines/engine.ts'
import { withoutOverlaps } from '../engines/overlaps.ts'
import { engineCost, engineRatio } from '../metrics.ts'
import { DOUBTFUL, ENGLISH_ONLY, NO_SPEECH } from '../reasons.ts'
import { UNSURE, withoutPhantoms } from './doubt.ts'
import type { SavedPart, Speech, UsedEngine } from './speech.ts'
import { countWords, joinTexts } from './words.ts'

/** More without speech is cut out first: it would be paid for, and engines make up words for it. */
const MUCH_SILENCE_SECONDS = 2
/** In less speech than this a language that the engine does not name is guessed from the person. */
const DETECTED_FROM_SECONDS = 5

interface Deps {
  ffmpeg: Ffmpeg
  engine: Engine
  /** Why not a better engine. */
  instead?: PassedBy[]
  /** Keeps a finished part, so that a repeat does not pay for it again. */
  savePart(part: SavedPart): Promise<unknown>
  /** The language that this person's short notes are taken to be in, where the engine does not tell. */
  usualLanguage(): Promise<string>
}

interface Note {
  _id: string
  attempt: number
  bytes: number
  /** The language that is expected: a language id. */
  language: string
  mime: string | null
  parts: SavedPart[]
}

/** Turns a note's audio into text, part by part. Parts that an earlier attempt, or a broken one, has finished are kept. */
export async function listenTo(
  { ffmpeg, engine, instead = [], savePart, usualLanguage }: Deps,
  note: Note,
  sound: Sound,
  signal: AbortSignal,
): Promise<Speech> {
  engine.throwIfClosed?.()
  const { samples, seconds, levels } = engine.wantsEvenLoudness ? await evened(ffmpeg, sound, signal) : sound
  const { speech: spoken, folder } = sound
  const limits = { ...engine.takes, partSeconds: longestPart(engine.takes) }
  const inParts = partsOf({ seconds, levels, speech: spoken }, limits)
  const original = originalFor(engine, note, sound, inParts)
  const cuts = original ? [[{ from: 0, to: seconds }]] : inParts
  const common = {
    samples,
    folder,
    gain: gainFor(levels),
    noteSeconds: seconds,
    ...(original && { original }),
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
    const key = derivedId('speech-call', note._id, String(note.attempt), String(index))
    const started = performance.now()
    const heard = await engine.recognise({ ...common, pieces, key }, note.language, signal)
    const length = lengthOfAll(pieces)
    engineRatio.observe({ engine: engine.name }, (performance.now() - started) / 1000 / length)
    engineCost.inc({ engine: engine.name, model: engine.model }, (length / 60) * engine.takes.perMinute)
    const part = { ...which, ...heard }
    if (cuts.length > 1) await savePart(part)
    return part
  }

  const heard = withoutOverlaps(await sideBySide(engine.takes.partsAtOnce, cuts, recognise))
  const { parts, isDoubtful } = withoutPhantoms(heard, engine.name)
  const sent = cuts.reduce((sum, pieces) => sum + lengthOfAll(pieces), 0)
  const cost = (sent / 60) * engine.takes.perMinute
  const used = { name: engine.name, model: engine.model, instead }
  const isShort = note.language === 'auto' && lengthOfAll(spoken) < DETECTED_FROM_SECONDS
  const isGuessed = isShort && !mostSpoken(parts) && parts.some(part => part.segments.length)
  const speech = joined(parts, used, cost, isGuessed ? await usualLanguage() : 'auto')
  return { ...speech, notices: noticesOf(speech, engine, note.language, isDoubtful) }
}

/** The file as it came, where the engine takes its kind and there is little in it that need not be sent. */
function originalFor({ takes }: Engine, { mime, bytes }: Note, sound: Sound, parts: Span[][]) {
  const { original, seconds } = sound
  const ending = takes.originals?.[mime ?? '']
  const [only] = parts
  if (seconds < SHORTEST_SECONDS || bytes > (takes.partBytes ?? 0)) return null
  if (!ending || !only || parts.length > 1 || seconds - lengthOfAll(only) > MUCH_SILENCE_SECONDS) return null
  return { path: original, name: `note.${ending}` }
}

/** Decodes it once more, brought to one loudness, in the same place: there is room for it once. */
async function evened(ffmpeg: Ffmpeg, { original, samples, seconds }: Sound, signal: AbortSignal) {
  return { samples, ...(await ffmpeg.decode(original, { to: samples, evenSeconds: seconds, signal })) }
}

/** Returns what a person must know before trusting a text. */
function noticesOf(speech: Speech, { takes }: Engine, asked: string, isDoubtful: boolean): Reason[] {
  if (!speech.text) return speech.notices
  return [
    takes.languages !== 'all' && takes.languages.length === 1 && asked === 'auto' ? ENGLISH_ONLY : [],
    isDoubtful || (speech.confidence ?? 1) < UNSURE ? DOUBTFUL : [],
  ].flat()
}

/** The first failure ends what has not begun; what has, ends by its signal or in its own time. */
async function sideBySide<T, R>(atOnce: number, all: T[], work: (one: T, index: number) => Promise<R>) {
  const queue = new PQueue({ concurrency: atOnce })
  try {
    return await queue.addAll(all.map((one, index) => () => work(one, index)))
  } finally {
    queue.clear()
    await queue.onIdle()
  }
}

/** The same for the same cut of a note, sent to the same engine in the same language. */
const cutOf = ({ engine, asked, from, to }: Pick<SavedPart, 'engine' | 'asked' | 'from' | 'to'>): string =>
  `${engine} ${asked} ${from} ${to}`

/** One text of all parts, in the language that most of the time was spoken, where an engine tells. */
export function joined(parts: PartSpeech[], engine: UsedEngine | null, cost = 0, usual = 'auto'): Speech {
  const spokenLanguage = mostSpoken(parts) ?? usual
  const heard = parts.flatMap(part => part.segments).filter(({ text }) => text.trim())
  const text = joinTexts(
    heard.map(segment => segment.text.trim()),
    spokenLanguage,
  )
  const sure = heard.flatMap(({ confidence, from, to }) =>
    confidence === null ? [] : [{ value: confidence, weight: to - from }],
  )
  return {
    text,
    segments: heard.map(({ noSpeech: _, ...segment }, index) => ({ id: String(index + 1), ...segment })),
    timesExact: heard.length > 0 && parts.every(part => part.timesExact || !part.segments.length),
    wordCount: countWords(text),
    confidence: meanOf(sure),
    spokenLanguage,
    engine,
    engineCost: cost,
    notices: text ? [] : [NO_SPEECH],
  }
}

function mostSpoken(parts: PartSpeech[]): string | undefined {
  const spokenFor = new Map<string, number>()
  for (const { language, segments } of parts) {
    if (language === 'auto' || !segments.length) continue
    spokenFor.set(language, (spokenFor.get(language) ?? 0) + lengthOfAll(segments))
  }
  const [longest] = [...spokenFor].sort(([, a], [, b]) => b - a)
  return longest?.[0]
}

export const silence: Speech = joined([], null)

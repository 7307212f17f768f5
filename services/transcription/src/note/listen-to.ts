import { join } from 'node:path'
import { derivedId } from '@voxscribe/contracts/events'
import { cutAtPauses, type Span } from '../audio/chunking.ts'
import type { Ffmpeg } from '../audio/ffmpeg.ts'
import { type Engine, meanOf, type PartSpeech } from '../engines/engine.ts'
import { engineRatio } from '../metrics.ts'
import type { NoteRecord, SavedPart } from './record.ts'
import type { Speech } from './store.ts'
import { countWords } from './words.ts'

const NO_SPEECH = 'No speech found'
/** Written without spaces between words. */
const UNSPACED = ['zh', 'yue', 'ja', 'th', 'lo', 'km', 'my', 'bo']

interface Deps {
  ffmpeg: Ffmpeg
  engine: Engine
  /** Keeps a finished part, so that a repeat does not pay for it again. */
  savePart(part: SavedPart): Promise<unknown>
}

/** Turns a note's audio into text, part by part. Parts that an earlier attempt, or a broken one, has finished are kept. */
export async function listenTo(
  { ffmpeg, engine, savePart }: Deps,
  note: Pick<NoteRecord, '_id' | 'attempt' | 'language' | 'parts'>,
  audio: string,
  folder: string,
  signal: AbortSignal,
): Promise<Speech> {
  const samples = join(folder, 'samples.raw')
  const { seconds, levels } = await ffmpeg.decode(audio, {
    to: samples,
    even: engine.wantsEvenLoudness ?? false,
    signal,
  })
  const spans = cutAtPauses(levels, seconds, engine.maxPartSeconds)
  const parts: PartSpeech[] = []
  for (const [index, span] of spans.entries()) {
    const saved = note.parts.find(isSame({ ...span, engine: engine.name, asked: note.language }))
    if (saved) {
      parts.push(saved)
      continue
    }
    const key = derivedId('speech-call', note._id, String(note.attempt), String(index))
    const started = performance.now()
    const part = { samples, span, isWhole: spans.length === 1, key, folder }
    const speech = await engine.recognise(part, note.language, signal)
    engineRatio.observe({ engine: engine.name }, (performance.now() - started) / 1000 / (span.to - span.from))
    if (spans.length > 1) await savePart({ ...span, engine: engine.name, asked: note.language, ...speech })
    parts.push(speech)
  }
  return joined(parts, spans, engine.name)
}

type Which = Pick<SavedPart, 'engine' | 'asked' | 'from' | 'to'>
/** The same cut, asked of the same engine in the same language. */
const isSame = (wanted: Which) => (part: Which) =>
  part.engine === wanted.engine &&
  part.asked === wanted.asked &&
  part.from === wanted.from &&
  part.to === wanted.to

/** One text of all parts, in the language that most of the time was spoken. */
export function joined(given: PartSpeech[], spans: Span[], engine: string): Speech {
  const parts = given.map((part, index) => {
    const { from, to } = spans[index] ?? { from: 0, to: 0 }
    return { ...part, text: part.text.trim(), seconds: to - from }
  })
  const spoken = parts.filter(part => part.text)
  const spokenLanguage = mostSpoken(spoken)
  const text = spoken.map(part => part.text).join(UNSPACED.includes(spokenLanguage) ? '' : ' ')
  const sure = spoken.flatMap(({ confidence, seconds }) =>
    confidence === null ? [] : [{ value: confidence, weight: seconds }],
  )
  return {
    text,
    segments: [],
    timesExact: false,
    wordCount: countWords(text),
    confidence: meanOf(sure),
    spokenLanguage,
    engine: { name: engine, model: null, instead: [] },
    notice: text ? null : NO_SPEECH,
  }
}

function mostSpoken(parts: { language: string; seconds: number }[]): string {
  const spokenFor = new Map<string, number>()
  for (const { language, seconds } of parts) {
    if (language !== 'auto') spokenFor.set(language, (spokenFor.get(language) ?? 0) + seconds)
  }
  const [longest] = [...spokenFor].sort(([, a], [, b]) => b - a)
  return longest?.[0] ?? 'auto'
}

export const silence: Speech = {
  text: '',
  segments: [],
  timesExact: false,
  wordCount: 0,
  confidence: null,
  spokenLanguage: 'auto',
  engine: null,
  notice: NO_SPEECH,
}

import { dirname } from 'node:path'
import { reason, SPEAKERS_FAILED } from '@voxscribe/contracts/reasons'
import { gainFor, type Measured, type Span } from '../audio/levels.ts'
import { lengthOfAll } from '../audio/pieces.ts'
import { Unworkable } from '../errors.ts'
import { CannotLoad, type NativePool } from '../local-model/pool.ts'
import type { VoiceModel } from '../local-model/protocol.ts'
import { centreOf, product } from '../local-model/vectors.ts'
import type { Models } from '../models/folder.ts'
import type { SpeakerTurn } from './speaker-turns.ts'

/** Shorter audio doesn't identify a voice. */
const WINDOW_SECONDS = 1.6
const HOP_SECONDS = 0.4
/** Limit for long speech: three hours have no more windows than this. */
const WINDOWS_MAX = 15_000
/** Vectors to group, whose distances are all compared; the others join the nearest group. */
const GROUPED_MAX = 600
/** The detector's spans include silence at both ends. */
const BEFORE_SECONDS = 0.3
const AFTER_SECONDS = 0.2
/** Windows per task, so that other notes come in between. */
const AT_ONCE = 50
/** Limits on a busy machine. */
const START_MS = 30_000
const MS_PER_WINDOW = 2_000
const MS_TO_GROUP = 120_000
/** Below the priority of everything that people wait for. */
const PRIORITY = -1e6
/** Penalty for a change of speaker, in likeness; the next one is tried if a speaker would get no turn. */
const SWITCH = [0.35, 0.1, 0]

interface Asked {
  model: VoiceModel
  /** Number of speakers; null: unknown. */
  count: number | null
  signal: AbortSignal
  /** Called with the share done so far, 0 to 1. */
  progress(share: number): void
}

export type Voices = ReturnType<typeof createVoices>

/** Distinguishes speakers by voice, with a model. */
export const createVoices = (pool: NativePool, files: Pick<Models, 'voices' | 'setAside'>) => ({
  isHere: () => files.voices() !== undefined,
  /** Throws Unworkable if no model can be loaded. */
  async turns(sound: Voiced, asked: Omit<Asked, 'model'>): Promise<SpeakerTurn[]> {
    const model = files.voices()
    if (!model) throw new Unworkable(reason(SPEAKERS_FAILED))
    return turnsOfVoices(pool, sound, { ...asked, model }).catch(error => {
      if (!(error instanceof CannotLoad)) throw error
      files.setAside(dirname(model.path), error.message)
      throw new Unworkable(reason(SPEAKERS_FAILED))
    })
  },
})

type Voiced = Pick<Measured, 'levels'> & { samples: string; speech: Span[] }

/** Returns who speaks when, judged by voice; speakers are numbered in the order in which they first speak. */
async function turnsOfVoices(
  pool: NativePool,
  { samples: path, levels, speech }: Voiced,
  { model, count, signal, progress }: Asked,
): Promise<SpeakerTurn[]> {
  const windows = windowsIn(speech)
  const gain = gainFor(levels)
  const vectors: Float32Array[] = []
  while (vectors.length < windows.length) {
    const some = windows.slice(vectors.length, vectors.length + AT_ONCE)
    const task = { do: 'embed', voices: model.path, path, gain, windows: some } as const
    const limitMs = START_MS + MS_PER_WINDOW * some.length
    vectors.push(...(await pool.run(task, { signal, limitMs, priority: PRIORITY })))
    progress(vectors.length / windows.length)
  }
  const every = Math.max(1, vectors.length / GROUPED_MAX)
  const chosen = vectors.filter((_, at) => Math.floor(at / every) !== Math.floor((at - 1) / every))
  const { threshold } = model
  const group = { do: 'group', vectors: chosen, count, threshold } as const
  const labels = await pool.run(group, { signal, limitMs: MS_TO_GROUP, priority: PRIORITY })
  const centres = [...new Set(labels)].map(label => centreOf(chosen.filter((_, at) => labels[at] === label)))
  const alike = vectors.map(vector => centres.map(centre => product(vector, centre)))
  for (const cost of SWITCH) {
    const path = pathThrough(alike, cost)
    if (cost === 0 || new Set(path).size === centres.length) return numbered(joined(windows, path))
  }
  return []
}

/** Returns windows over spans of speech; a shorter span gets one window with all of it. */
function windowsIn(speech: Span[]): Span[] {
  const spans = speech.map(({ from, to }) => {
    const [begin, end] = [from + BEFORE_SECONDS, to - AFTER_SECONDS]
    return end - begin > HOP_SECONDS ? { from: begin, to: end } : { from, to }
  })
  const hop = Math.max(HOP_SECONDS, lengthOfAll(spans) / WINDOWS_MAX)
  return spans.flatMap(({ from, to }) => {
    const count = Math.max(1, Math.ceil((to - from - WINDOW_SECONDS) / hop) + 1)
    return Array.from({ length: count }, (_, at) => {
      const begin = Math.max(from, Math.min(from + at * hop, to - WINDOW_SECONDS))
      return { from: begin, to: Math.min(to, begin + WINDOW_SECONDS) }
    })
  })
}

/** Returns the most likely voice of each window, where each change has a cost (Viterbi). */
function pathThrough(alike: number[][], cost: number): number[] {
  const cameFrom: number[][] = []
  let scores = alike[0]?.map(() => 0) ?? []
  for (const window of alike) {
    const best = scores.indexOf(Math.max(...scores))
    const from = scores.map((score, voice) => (score >= (scores[best] ?? 0) - cost ? voice : best))
    scores = window.map((likeness, voice) => {
      const before = from[voice] === voice ? (scores[voice] ?? 0) : (scores[best] ?? 0) - cost
      return before + likeness
    })
    cameFrom.push(from)
  }
  let voice = scores.indexOf(Math.max(...scores))
  return cameFrom
    .map((_, at) => {
      const now = voice
      voice = cameFrom[cameFrom.length - 1 - at]?.[voice] ?? voice
      return now
    })
    .reverse()
}

/** Joins windows into turns; where two windows meet, the change is halfway between their middles. */
function joined(windows: Span[], voices: number[]): SpeakerTurn[] {
  const turns: SpeakerTurn[] = []
  let before: Span | undefined
  for (const [at, { from, to }] of windows.entries()) {
    const last = turns.at(-1)
    const adjacent = before && from <= before.to ? before : undefined
    const speaker = String(voices[at])
    if (last && adjacent && last.speaker === speaker) last.to = to
    else {
      const begin = adjacent ? (adjacent.from + adjacent.to + from + to) / 4 : from
      if (last && adjacent) last.to = begin
      turns.push({ from: begin, to, speaker })
    }
    before = { from, to }
  }
  return turns
}

function numbered(turns: SpeakerTurn[]): SpeakerTurn[] {
  const order = [...new Set(turns.map(({ speaker }) => speaker))]
  return turns.map(turn => ({ ...turn, speaker: String(order.indexOf(turn.speaker) + 1) }))
}

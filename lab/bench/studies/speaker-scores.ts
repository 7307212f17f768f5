// Measures the share of a conversation that is attributed to the right speaker.

import { type SpeakerTurn, speakerIn } from '../../../packages/speech/src/hearing/speaker-turns.ts'
import type { Segment } from '../../../packages/speech/src/hearing/speech.ts'
import type { Said } from './conversations.ts'
import { wordsOf } from './recordings.ts'

const STEP = 0.02

/** Returns all ways to assign at most one speaker to each voice. */
function ways(voices: string[], speakers: string[]): Map<string, string>[] {
  const [voice, ...rest] = voices
  if (voice === undefined) return [new Map()]
  return [...speakers, undefined].flatMap(speaker => {
    const left = speakers.filter(each => each !== speaker)
    const others = speaker === undefined && left.length > rest.length ? [] : ways(rest, left)
    return others.map(way => (speaker === undefined ? way : new Map([...way, [voice, speaker]])))
  })
}

interface Scores {
  /** Share of the speech with the right speaker, under the best assignment; of two voices at once, either counts. */
  right: number
  /** Turns most of which have the right speaker. */
  turns: number
  speakers: Map<string, string>
}

export function scored(said: Said[], turns: SpeakerTurn[]): Scores {
  const voices = [...new Set(said.map(({ voice }) => voice))]
  const steps = said.flatMap((turn, at) => {
    const count = Math.floor((turn.to - turn.from) / STEP)
    return Array.from({ length: count }, (_, step) => {
      const from = turn.from + step * STEP
      const both = said.filter(other => other.from <= from && other.to > from)
      return {
        at,
        speaker: speakerIn(turns, { from, to: from + STEP }),
        voices: both.map(({ voice }) => voice),
      }
    })
  })
  let best: Scores | undefined
  for (const speakers of ways(voices, [...new Set(turns.map(({ speaker }) => speaker))])) {
    const isRight = (step: (typeof steps)[number]) =>
      step.speaker !== undefined && step.voices.some(voice => speakers.get(voice) === step.speaker)
    const right = steps.filter(isRight).length / Math.max(1, steps.length)
    if (best && right <= best.right) continue
    const own = (at: number) => steps.filter(step => step.at === at)
    const found = said.filter(
      ({ voice }, at) =>
        own(at).filter(({ speaker }) => speaker !== undefined && speaker === speakers.get(voice)).length * 2 >
        own(at).length,
    )
    best = { right, turns: found.length, speakers }
  }
  return best ?? { right: 0, turns: 0, speakers: new Map() }
}

/** Counts the correctly recognized words, and those of them that are attributed to the wrong speaker. */
export function wordsInMouths(said: Said[], lines: Segment[], speakers: Map<string, string>) {
  const spoken = said.flatMap(({ voice, words }) => words.map(word => ({ word, who: speakers.get(voice) })))
  const heard = lines.flatMap(({ text, speaker }) => wordsOf(text).map(word => ({ word, who: speaker })))
  const pairs = aligned(
    spoken.map(({ word }) => word),
    heard.map(({ word }) => word),
  )
  const wrong = pairs.filter(([one, other]) => spoken[one]?.who !== heard[other]?.who).length
  return { words: pairs.length, wrong }
}

/** Returns pairs of positions at which two texts have the same word, with the fewest changes between them. */
function aligned(one: string[], other: string[]): [number, number][] {
  const costs = Array.from({ length: one.length + 1 }, (_, row) =>
    new Uint16Array(other.length + 1).map((_, column) => (row ? row : column)),
  )
  for (let row = 1; row <= one.length; row++)
    for (let column = 1; column <= other.length; column++) {
      const isSame = one[row - 1] === other[column - 1]
      const through = costs[row - 1]![column - 1]! + (isSame ? 0 : 1)
      costs[row]![column] = Math.min(through, costs[row - 1]![column]! + 1, costs[row]![column - 1]! + 1)
    }
  const pairs: [number, number][] = []
  for (let [row, column] = [one.length, other.length]; row > 0 && column > 0; ) {
    const cost = costs[row]![column]!
    const isSame = one[row - 1] === other[column - 1]
    if (cost === costs[row - 1]![column - 1]! + (isSame ? 0 : 1)) {
      if (isSame) pairs.unshift([row - 1, column - 1])
      row--
      column--
    } else if (cost === costs[row - 1]![column]! + 1) row--
    else column--
  }
  return pairs
}

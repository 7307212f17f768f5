import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { reason } from '@voxscribe/contracts/reasons'
import type { Ffmpeg } from '../audio/ffmpeg.ts'
import type { Span } from '../audio/levels.ts'
import { lengthOfAll } from '../audio/pieces.ts'
import { OUT_OF_TIME, ProgramError, runProgram } from '../audio/program.ts'
import { Unworkable } from '../errors.ts'
import { onPath } from '../on-path.ts'
import { type Engine, noteTime, type PartSpeech, segmentOf, type Word } from './engine.ts'
import { type Abilities, abilitiesOf } from './entry.ts'
import type { Kind } from './kind.ts'

export const SPHINX: Abilities = {
  partSeconds: 60,
  partsAtOnce: 1,
  languages: ['en'],
  perMinute: 0,
  times: 'words',
}

/** Limit per second of audio: twice what a slow machine needs. The model loads in a few seconds. */
const SLOWEST = 4
const START_SECONDS = 20
/** Exit code of a failed allocation. */
const OUT_OF_MEMORY = 255

interface Options {
  command: string
  ffmpeg: Ffmpeg
  /** Time limit for a part of a note, in milliseconds. */
  timeoutMs: number
}

export const sphinx: Kind = {
  howToGet: 'install the packages pocketsphinx and pocketsphinx-en-us (English only)',
  open:
    async (entry, { settings, ffmpeg }) =>
    () => {
      const command = onPath(settings.SPHINX_COMMAND)
      if (!command) return undefined
      const engine = createSphinx({ command, ffmpeg, timeoutMs: entry.timeout ?? settings.SPEECH_TIMEOUT })
      return { ...engine, name: entry.name, abilities: abilitiesOf(entry, engine.abilities) }
    },
}

/** PocketSphinx: offline, English only. Runs one process per part. */
export const createSphinx = ({ command, ffmpeg, timeoutMs }: Options): Engine => ({
  name: 'sphinx',
  kind: 'sphinx',
  model: 'en-us',
  abilities: SPHINX,
  async recognise({ samples, pieces, folder }, _language, signal) {
    const file = join(folder, `part-${pieces[0]?.from}.raw`)
    // For eight recordings encoded like WhatsApp's: 80 % of words correct with even loudness, 76 % without.
    await ffmpeg.even(samples, pieces, file, signal)
    // Digital silence, as at the start of an MP3, has no logarithm, so constant noise replaces it.
    const dither = ['-dither', 'yes', '-seed', '1']
    const args = ['-infile', file, '-time', 'yes', '-logfn', '/dev/null', ...dither]
    const bounds = { cpuSeconds: Math.ceil(START_SECONDS + SLOWEST * lengthOfAll(pieces)) }
    const run = () =>
      runProgram(command, args, AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]), bounds)
    // The machine or the container may have been paused.
    const again = (error: unknown) => (isTimeout(error) ? run() : Promise.reject(error))
    const output = await run()
      .catch(again)
      .catch(error => {
        signal.throwIfAborted()
        throw hasReachedLimit(error) ? new Unworkable(reason('engine_broke')) : error
      })
    await rm(file)
    return readSphinx(output, pieces)
  },
})

const isTimeout = (error: unknown): boolean => (error as Error).name === 'TimeoutError'

/** Whether it exceeded its time or memory, as it would on a retry. */
const hasReachedLimit = (error: unknown): boolean =>
  error instanceof ProgramError
    ? error.code === OUT_OF_TIME || error.code === OUT_OF_MEMORY
    : isTimeout(error)

/** `word(2) 1.340 1.580 0.581373`: word and pronunciation number, from, to, posterior probability. */
const WORD = /^(\S+?)(?:\(\d+\))? (\d+\.\d+) (\d+\.\d+) (\d+\.\d+)$/
/** `<s>`, `<sil>`, `[NOISE]`, `++BREATH++`. */
const NOT_SPOKEN = /^[<[+]/
const SENTENCE_START = '<s>'

/** Parses the output of `-time yes`: one line per sentence, followed by one line per word of it. */
export function readSphinx(output: string, pieces: Span[]): PartSpeech {
  const sentences: Word[][] = [[]]
  for (const line of output.split('\n')) {
    const [, text, from, to, probability] = WORD.exec(line.trim()) ?? []
    if (text === SENTENCE_START) sentences.push([])
    if (!text || NOT_SPOKEN.test(text)) continue
    const times = { from: noteTime(pieces, Number(from)), to: noteTime(pieces, Number(to), true) }
    sentences.at(-1)?.push({ ...times, text, confidence: Number(probability) })
  }
  return {
    segments: sentences.flatMap(words => segmentOf(words)),
    language: 'en',
    timesExact: true,
  }
}

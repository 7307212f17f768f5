import { createReadStream, createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { BYTES_PER_SECOND } from '../audio/levels.ts'
import { Unworkable } from '../failure.ts'
import { englishOnly } from '../reasons.ts'
import { type Engine, meanOf, type Part, type PartSpeech } from './engine.ts'
import { runCommand } from './run-command.ts'

/** Sphinx takes up to twice the time of the audio on a slow machine; loading its model takes a few seconds. */
const SLOWEST = 4
const START_MS = 20_000

interface Options {
  command: string
  timeoutMs: number
}

/** PocketSphinx: offline, English only. One program a part. */
export const createSphinx = ({ command, timeoutMs }: Options): Engine => ({
  name: 'pocketsphinx',
  maxPartSeconds: 60,
  // On eight recordings as WhatsApp encodes them: 80 % of the words with it, 76 % without.
  wantsEvenLoudness: true,
  async recognise(part, language, signal) {
    if (language !== 'auto' && language !== 'en') throw new Unworkable(englishOnly(language))
    const file = part.isWhole ? part.samples : await slice(part)
    // A timer takes whole milliseconds only.
    const limit = Math.min(timeoutMs, Math.ceil(START_MS + SLOWEST * 1000 * (part.span.to - part.span.from)))
    // Digital silence, as MP3 begins with, has no logarithm: a little noise, always the same, stands in for it.
    const dither = ['-dither', 'yes', '-seed', '1']
    const args = ['-infile', file, '-time', 'yes', '-logfn', '/dev/null', ...dither]
    return readSphinx(await runCommand(command, args, AbortSignal.any([signal, AbortSignal.timeout(limit)])))
  },
})

async function slice({ samples, span, folder }: Part): Promise<string> {
  const path = join(folder, `part-${span.from}.raw`)
  const offset = (seconds: number) => Math.round((seconds * BYTES_PER_SECOND) / 2) * 2
  const range = { start: offset(span.from), end: offset(span.to) - 1 }
  await pipeline(createReadStream(samples, range), createWriteStream(path))
  return path
}

/** `word(2) 1.340 1.580 0.581373`: word and which pronunciation, from, to, posterior probability. */
const WORD = /^(\S+?)(?:\(\d+\))? (\d+\.\d+) (\d+\.\d+) (\d+\.\d+)$/
/** `<s>`, `<sil>`, `[NOISE]`, `++BREATH++`. */
const NOT_SPOKEN = /^[<[+]/

/** Reads what `-time yes` prints: a line with the sentence, then a line for each of its words. */
export function readSphinx(output: string): PartSpeech {
  const words = output.split('\n').flatMap(line => {
    const [, word, from, to, probability] = WORD.exec(line.trim()) ?? []
    if (!word || NOT_SPOKEN.test(word)) return []
    return [{ word, value: Number(probability), weight: Number(to) - Number(from) }]
  })
  return { text: words.map(({ word }) => word).join(' '), language: 'en', confidence: meanOf(words) }
}

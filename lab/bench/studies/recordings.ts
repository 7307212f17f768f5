// Real recordings with their words (Debian's pocketsphinx-testdata), and how many words of a text are wrong.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { distance } from 'fastest-levenshtein'
import { ffmpegCommand } from '../../../services/transcription/src/audio/ffmpeg.ts'

const DATA = '/usr/share/pocketsphinx/test/data'
const DIGITS = 'zero one two three four five six seven eight nine ten'.split(' ')

export interface Recording {
  path: string
  words: string[]
}

export const wordsOf = (text: string): string[] =>
  text
    .toLowerCase()
    .replace(/\d+/g, number => DIGITS[Number(number)] ?? number)
    .replace(/\bmr\.?(?= )/g, 'mister')
    .match(/[a-z']+/g) ?? []

const listed = (folder: string, file: string): Recording[] =>
  readFileSync(join(DATA, folder, file), 'utf8')
    .split('\n')
    .flatMap(line => {
      const [, said = '', name] = /<s>(.*)<\/s>\s*\((.+)\)/.exec(line) ?? []
      return name ? [{ path: join(DATA, folder, `${name}.wav`), words: wordsOf(said) }] : []
    })
export const recordings = [...listed('librivox', 'transcription'), ...listed('cards', 'cards.transcription')]

/** Words that must be changed, added or left out: each word is one letter of two texts that are compared. */
export function wrongWords(said: string[], heard: string[]): number {
  const letters = new Map<string, string>()
  const spelt = (words: string[]) =>
    words
      .map(word => {
        if (!letters.has(word)) letters.set(word, String.fromCharCode(0x4e00 + letters.size))
        return letters.get(word)
      })
      .join('')
  return distance(spelt(said), spelt(heard))
}

/** Throws when ffmpeg cannot make the file. */
export const make = (...args: string[]) =>
  execFileSync(ffmpegCommand(), ['-v', 'error', '-nostdin', '-y', ...args])

/** A woman reading Jane Austen: the recordings that make up longer notes. */
const READ = recordings.slice(0, 5)
/** Seconds of those recordings, one after the other. */
export const ROUND_SECONDS = 24.73

/** A note of real recordings, one after the other, as WhatsApp would send it, and the words of its whole rounds. */
export function noteOf(seconds: number, folder: string): { path: string; said: string[] } {
  const round = join(folder, 'round.wav')
  const path = join(folder, `note-${seconds}.ogg`)
  const inputs = READ.flatMap(recording => ['-i', recording.path])
  make(...inputs, '-filter_complex', `concat=n=${READ.length}:v=0:a=1`, round)
  const encoding = ['-ac', '1', '-c:a', 'libopus', '-b:a', '16k']
  make('-stream_loop', '-1', '-i', round, '-t', `${seconds}`, ...encoding, path)
  const words = READ.flatMap(recording => recording.words)
  return { path, said: Array.from({ length: Math.floor(seconds / ROUND_SECONDS) }, () => words).flat() }
}

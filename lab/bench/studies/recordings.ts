// Real recordings with their words (Debian's pocketsphinx-testdata), and the count of wrong words in a text.
import { execFileSync } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { distance } from 'fastest-levenshtein'
import { ffmpegCommand } from '../../../packages/speech/src/audio/ffmpeg.ts'

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
    .match(/[\p{L}']+/gu) ?? []

const listed = (folder: string, file: string): Recording[] =>
  readFileSync(join(DATA, folder, file), 'utf8')
    .split('\n')
    .flatMap(line => {
      const [, said = '', name] = /<s>(.*)<\/s>\s*\((.+)\)/.exec(line) ?? []
      return name ? [{ path: join(DATA, folder, `${name}.wav`), words: wordsOf(said) }] : []
    })
export const recordings = [...listed('librivox', 'transcription'), ...listed('cards', 'cards.transcription')]

/** Counts words that must be changed, added or removed, by comparing texts in which each word is one letter. */
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

/** Creates a file with ffmpeg. Throws if that fails. */
export const make = (...args: string[]) =>
  execFileSync(ffmpegCommand(), ['-v', 'error', '-nostdin', '-y', ...args])

/** A woman reading Jane Austen: the recordings of which longer notes are made. */
const READ = recordings.slice(0, 5)
/** Length of these recordings together, in seconds. */
export const ROUND_SECONDS = 24.73

/** Creates a note of recordings in a row, as WhatsApp would send it. Returns its path and the words of whole rounds. */
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

/** Notes of children's clips, and clips per note, with pauses between them. */
const [STAMP_NOTES, STAMPS_A_NOTE] = [12, 5]

const STAMPS = process.env.STAMPS ?? '/usr/share/tuxpaint/stamps'

/** Returns clips of a children's game in a language, with their words; [] without Debian's tuxpaint-stamps-default. */
export const stampClips = (language: string): Recording[] =>
  globSync(`${STAMPS}/**/*_desc_${language}.ogg`)
    .sort()
    .flatMap(path => {
      const texts = path.replace(/_desc_\w+\.ogg$/, '.txt')
      const written = existsSync(texts) ? readFileSync(texts, 'utf8') : ''
      const said = new RegExp(`^${language}\\.utf8=(.*)$`, 'm').exec(written)?.[1] ?? ''
      return said && !/\d/.test(said) ? [{ path, words: wordsOf(said) }] : []
    })

/** Joins clips with pauses between them, encoded as by WhatsApp, or unencoded if the path ends in `.wav`. */
export function joinedNote(clips: Recording[], path: string): Recording {
  const padded = clips.map(
    (_, index) => `[${index}]aresample=16000,aformat=channel_layouts=mono,apad=pad_dur=0.4[p${index}]`,
  )
  const joined = `${clips.map((_, index) => `[p${index}]`).join('')}concat=n=${clips.length}:v=0:a=1`
  const inputs = clips.flatMap(each => ['-i', each.path])
  const encoding = path.endsWith('.wav') ? [] : ['-c:a', 'libopus', '-b:a', '16k']
  make(...inputs, '-filter_complex', `${padded.join(';')};${joined}`, ...encoding, path)
  return { path, words: clips.flatMap(each => each.words) }
}

/** Returns notes of about 15 s, made of clips from the whole folder. */
export function stampNotes(language: string, folder: string): Recording[] {
  const clips = stampClips(language)
  const apart = Math.floor(clips.length / (STAMP_NOTES * STAMPS_A_NOTE))
  const chosen = clips.filter((_, at) => at % apart === 0)
  return Array.from({ length: STAMP_NOTES }, (_, at) => {
    const its = chosen.slice(at * STAMPS_A_NOTE, (at + 1) * STAMPS_A_NOTE)
    return joinedNote(its, join(folder, `${language}-${at}.ogg`))
  })
}

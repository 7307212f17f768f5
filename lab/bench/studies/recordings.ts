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

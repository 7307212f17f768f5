import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

/** Real models for tests, which aren't part of the repository: `silero-vad` and `whisper-tiny.en`. */
export const MODELS = resolve(import.meta.dirname, '../../../../../shared/models')
const hasModels = existsSync(join(MODELS, 'whisper-tiny.en/tokens.txt'))

const DATA = '/usr/share/pocketsphinx/test/data'
const hasRecordings = existsSync(`${DATA}/librivox`) && existsSync(`${DATA}/cards`)

const needed = [...(hasModels ? [] : ['shared/models']), ...(hasRecordings ? [] : ['pocketsphinx-testdata'])]

/** `describe` for cases that need real models and recordings; its name says what is missing if they are skipped. */
export const withRealSpeech = (name: string, cases: () => void): void =>
  needed.length ? describe.skip(`${name} (left out: no ${needed.join(', ')})`, cases) : describe(name, cases)

export interface Recording {
  path: string
  words: string[]
}

function listed(folder: string, transcript: string): Recording[] {
  return readFileSync(join(DATA, folder, transcript), 'utf8')
    .split('\n')
    .flatMap(line => {
      const [, said, name] = /^(?:<s>)?(.*?)(?:<\/s>)?\s*\(([^)]+)\)\s*$/.exec(line.trim()) ?? []
      const path = join(DATA, folder, `${name}.wav`)
      return said && existsSync(path) ? [{ path, words: said.trim().toLowerCase().split(/\s+/) }] : []
    })
}

/** Recordings with the words spoken in them: a woman reading Jane Austen. */
export const librivox = () => listed('librivox', 'transcription')

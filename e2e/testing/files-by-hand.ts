import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { OddFile } from './odd-files.ts'
import { ROOT } from './system.ts'

const FIXTURES = join(ROOT, '../shared/fixtures/audio')

type Expected = Omit<OddFile, 'name' | 'make'>

const some = (seconds: number, ...words: string[]): Expected => ({ outcome: 'some', seconds, words })
const refused = (outcome: string): Expected => ({ outcome, seconds: 0 })
/** Two sentences with different sample rates or channels. */
const JOINED = some(12.4, 'leisure', 'selfish')

const EXPECTED: Record<string, Expected> = {
  'aac-eld.m4a': refused('kind_not_read'),
  'anti.ogg': some(3),
  'apac-second-default.mp4': some(7),
  'channel-9-of-9.wav': some(1),
  'dictation.dss': refused('415'),
  'gap10.webm': some(35),
  'granules-triple.ogg': some(7.1, 'leisure'),
  // The model repeats itself.
  'hall.ogg': { ...some(29), notices: ['doubtful'] },
  'hall2.ogg': { ...some(22), notices: ['doubtful'] },
  'joined-16-44.aac': JOINED,
  'joined-16-44.ts': JOINED,
  'joined-8-48.mp3': JOINED,
  'joined.flac': JOINED,
  'mid50.mp3': some(7),
  'mono-then-anti.ogg': JOINED,
  'music-first.mp4': some(7.1, 'leisure'),
  'nopause170.ogg': some(137, 'leisure', 'selfish'),
  'one.wav': { outcome: 'silent', seconds: 0 },
  'rf64.wav': some(3),
  'silent-track-first.mp4': some(3),
  'speech.wv': some(3),
  'tts-24-then-48.mp3': JOINED,
  'two-tracks.mkv': { ...some(7.1, 'leisure'), notices: ['tracks_unheard'] },
  'wechat.amr': refused('415'),
}

const isRecording = (name: string) => !/\.(md|txt)$/.test(name)

/** Additional files made by hand, which are not in the repository. */
export const FILES_BY_HAND: OddFile[] = !existsSync(FIXTURES)
  ? []
  : readdirSync(FIXTURES)
      .filter(isRecording)
      .map(name => {
        const expected = EXPECTED[name]
        if (!expected) throw new Error(`Say in ${import.meta.filename} what ${name} becomes.`)
        return { name, make: async () => join(FIXTURES, name), ...expected }
      })

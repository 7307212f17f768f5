import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { FFMPEG_PATH } from './system.ts'

// Real recordings with their words, from Debian's pocketsphinx-testdata.
const RECORDINGS = '/usr/share/pocketsphinx/test/data/librivox'
const folder = mkdtempSync(join(tmpdir(), 'voxscribe-speech-'))
const removeFolder = () => rmSync(folder, { recursive: true, force: true })
// Test files never see the exit of their process; benchmarks have nothing else.
if ('afterAll' in globalThis) afterAll(removeFolder)
else process.on('exit', removeFolder)

/** A recorded sentence: 6 s of a woman reading Jane Austen. */
export const SENTENCE = 'sense_and_sensibility_01_austen_64kb-0920'
export const SENTENCE_FILE = `${RECORDINGS}/${SENTENCE}.wav`

export function wordsOf(recording: string): string[] {
  const line = readFileSync(`${RECORDINGS}/transcription`, 'utf8')
    .split('\n')
    .find(text => text.includes(`(${recording})`))
  return (
    line
      ?.replace(/<\/?s>|\(.*\)/g, '')
      .trim()
      .split(/\s+/) ?? []
  )
}

/** Returns the share of the spoken words that are in the text. */
export function recognised(said: string[], text: string): number {
  const found = new Set(text.toLowerCase().match(/[a-z']+/g))
  return said.filter(word => found.has(word)).length / said.length
}

const run = promisify(execFile)

// Asynchronous: blocking would keep this process's connections from noticing that they were closed.
const ffmpegAt =
  (command: string) =>
  (...args: string[]) =>
    run(command, ['-nostdin', '-v', 'error', '-y', ...args])
const ffmpeg = ffmpegAt('ffmpeg')
/** Starts in a tenth of the time, but supports fewer formats. */
const quickFfmpeg = ffmpegAt(FFMPEG_PATH)

/** Creates a file `name` with the recording in another container and codec. */
export async function recordingAs(name: string, ...encoding: string[]): Promise<string> {
  const path = join(folder, name)
  await ffmpeg('-i', SENTENCE_FILE, ...encoding, path)
  return path
}

/** Creates a voice note as WhatsApp records it: Ogg, Opus, mono. */
export async function voiceNote(name = 'note.ogg'): Promise<string> {
  const path = join(folder, name)
  // The best encoding takes five times as long, for the same words.
  const encoding = ['-c:a', 'libopus', '-compression_level', '3', '-b:a', '24k', '-ac', '1']
  await quickFfmpeg('-i', SENTENCE_FILE, ...encoding, path)
  return path
}

/** Creates a voice note of the recorded sentence, repeated for `seconds`. */
export async function speechOf(seconds: number, name: string): Promise<string> {
  const path = join(folder, name)
  // Fastest encoding: the best one takes longer than the rest of a test.
  const encoding = ['-c:a', 'libopus', '-compression_level', '0', '-b:a', '16k', '-ac', '1']
  await quickFfmpeg('-stream_loop', '-1', '-i', SENTENCE_FILE, '-t', String(seconds), ...encoding, path)
  return path
}

/** Creates a recording with a quiet tone of `minutes`. */
export async function tone(name: string, minutes: number): Promise<string> {
  const path = join(folder, name)
  const source = `sine=frequency=300:duration=${minutes * 60}:sample_rate=8000`
  await ffmpeg('-f', 'lavfi', '-i', source, '-c:a', 'adpcm_ima_wav', path)
  return path
}

export function fileWith(name: string, content: Buffer | string): string {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

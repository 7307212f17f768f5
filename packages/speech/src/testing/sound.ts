import { execFile } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import bundled from '@ffmpeg-installer/ffmpeg'
import { type Ffmpeg, ffmpegCommand } from '../audio/ffmpeg.ts'
import { SAMPLE_RATE } from '../audio/levels.ts'
import type { Part } from '../engines/engine.ts'

const run = promisify(execFile)

const ffmpegAt =
  (command: string) =>
  (...args: string[]) =>
    run(command, ['-v', 'error', '-nostdin', '-y', ...args])
/** Runs the system's ffmpeg to make recordings. */
export const ffmpeg = ffmpegAt(ffmpegCommand())
/** An ffmpeg that starts in a tenth of the time, and has fewer options. */
export const QUICK_FFMPEG = bundled.path
const quickFfmpeg = ffmpegAt(QUICK_FFMPEG)

/** Returns container and codec as ffmpeg reports them: `ogg opus`. */
export async function fileTypeOf(path: string): Promise<string> {
  const { stderr } = await run(ffmpegCommand(), ['-hide_banner', '-i', path, '-f', 'null', '-'])
  const [, container] = /Input #0, ([\w,]+),/.exec(stderr) ?? []
  const [, codec] = /Audio: (\w+)/.exec(stderr) ?? []
  return `${container} ${codec}`
}

/** Decodes a file's first track with audio. */
export async function decodeFirst(
  ffmpeg: Pick<Ffmpeg, 'decode'>,
  path: string,
  options: Omit<Parameters<Ffmpeg['decode']>[1], 'signal'>,
) {
  const [first] = await ffmpeg.decode(path, { signal: new AbortController().signal, ...options })
  if (!first) throw new Error(`${path} has no sound`)
  return first
}

export const temporaryFolder = () => mkdtemp(join(tmpdir(), 'voxscribe-test-'))

/** Creates a folder that is removed after a test file's cases. */
export function folderOfTests(): string {
  const folder = mkdtempSync(join(tmpdir(), 'voxscribe-test-'))
  afterAll(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** Writes a tone at 16 kHz, with ffmpeg unless the file is a WAV. */
export async function tone(path: string, seconds = 2): Promise<string> {
  if (path.endsWith('.wav')) await writeFile(path, wavOf(seconds))
  else await quickFfmpeg('-f', 'lavfi', '-i', `sine=frequency=440:duration=${seconds}`, '-ar', '16000', path)
  return path
}

function wavOf(seconds: number): Buffer {
  const samples = Int16Array.from({ length: seconds * SAMPLE_RATE }, (_, at) =>
    Math.round(4_096 * Math.sin((2 * Math.PI * 440 * at) / SAMPLE_RATE)),
  )
  const header = Buffer.alloc(44)
  header.write('RIFF')
  header.writeUInt32LE(36 + samples.byteLength, 4)
  header.write('WAVEfmt ', 8)
  header.writeUInt32LE(16, 16)
  header.writeUInt16LE(1, 20)
  header.writeUInt16LE(1, 22)
  header.writeUInt32LE(SAMPLE_RATE, 24)
  header.writeUInt32LE(2 * SAMPLE_RATE, 28)
  header.writeUInt16LE(2, 32)
  header.writeUInt16LE(16, 34)
  header.write('data', 36)
  header.writeUInt32LE(samples.byteLength, 40)
  return Buffer.concat([header, Buffer.from(samples.buffer)])
}

/** Input of one call to an engine, for a note of 9 s. */
export const partOf = (facts: Partial<Part>): Part => ({
  samples: 'note.raw',
  pieces: [{ from: 0, to: 3 }],
  gain: 1,
  key: 'key-1',
  folder: tmpdir(),
  noteSeconds: 9,
  ...facts,
})

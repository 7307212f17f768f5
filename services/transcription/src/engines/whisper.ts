import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { languageIdOf } from '@voxscribe/contracts/languages'
import { z } from 'zod'
import type { Ffmpeg } from '../audio/ffmpeg.ts'
import { type Engine, meanOf, type PartSpeech } from './engine.ts'
import { runCommand } from './run-command.ts'

interface Options {
  command: string
  model: string
  timeoutMs: number
  ffmpeg: Ffmpeg
}

/** whisper.cpp's command line: offline, all of Whisper's languages, as good as the model it is given. */
export const createWhisper = ({ command, model, timeoutMs, ffmpeg }: Options): Engine => ({
  name: 'whisper.cpp',
  // A call must end within its limit on a machine that is about as fast as the speech.
  maxPartSeconds: 240,
  async recognise(part, language, signal) {
    const stem = join(part.folder, `part-${part.span.from}`)
    await ffmpeg.encode(part.samples, part.span, `${stem}.wav`, signal)
    const args = ['-m', model, '-f', `${stem}.wav`, '-l', language, '-ojf', '-of', stem, '-np']
    await runCommand(command, args, AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]))
    return readWhisper(await readFile(`${stem}.json`, 'utf8'))
  },
})

const Output = z.object({
  result: z.object({ language: z.string() }),
  transcription: z.array(
    z.object({
      text: z.string(),
      tokens: z.array(z.object({ text: z.string(), p: z.number() })).default([]),
    }),
  ),
})

/** `[_BEG_]`, `[_TT_150]`: marks, not words. */
const MARK = /^\[_/
/** `[BLANK_AUDIO]`, `(wind blowing)`: what Whisper writes where no one speaks. */
const NO_SPEECH = /^\s*(\[[^\]]*\]|\([^)]*\))\s*$/

/** Reads what `--output-json-full` writes. */
export function readWhisper(json: string): PartSpeech {
  const { result, transcription } = Output.parse(JSON.parse(json))
  const spoken = transcription.filter(({ text }) => !NO_SPEECH.test(text))
  const tokens = spoken.flatMap(({ tokens }) => tokens).filter(({ text }) => !MARK.test(text))
  return {
    text: spoken
      .map(({ text }) => text)
      .join('')
      .trim(),
    language: languageIdOf(result.language) ?? 'auto',
    confidence: meanOf(tokens.map(({ p }) => ({ value: p, weight: 1 }))),
  }
}

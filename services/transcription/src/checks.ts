import { randomUUID } from 'node:crypto'
import { statSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import {
  boundedFetch,
  type Check,
  check,
  createLog,
  ok,
  onlyWith,
  openBlobs,
  temporaryFolder,
  wrong,
} from '@voxscribe/service'
import { isEngine, openSpeech, REPLACEMENT_MODEL, retiringModels } from '@voxscribe/speech'
import { z } from 'zod'
import { FREE } from './queue/spending.ts'
import type { TranscriptionSettings } from './settings.ts'
import { createTextModel } from './text/model.ts'

const TIMEOUT_MS = 10_000
const NEXT_MODEL = `Set OPENAI_MODEL=${REPLACEMENT_MODEL}.`
const SAMPLE_RATE = 16_000

/** Checks for the doctor. */
export const checks = (settings: TranscriptionSettings): Check[] => [
  speechCheck(settings),
  ...onlyWith('OPENAI_API_KEY', 'models on this machine do not end', speechModelCheck(settings)),
  ...onlyWith('TEXT_MODEL', 'no summaries and translations', textModelCheck(settings)),
]

/** Has the best engine, or each one of ENGINES, recognize one second of a low tone. */
function speechCheck(settings: TranscriptionSettings): Check {
  const { ENGINES } = settings
  const key = ENGINES ? 'Give the engine of ENGINES' : 'Set OPENAI_API_KEY to'
  const next = `${key} a key that can pay, or fetch the model again: npm run model -- NAME.`
  async function look() {
    const folder = await mkdtemp(join(tmpdir(), 'voxscribe-doctor-'))
    const log = createLog('doctor', 'silent')
    const around = { files: openBlobs(settings), temporaryFolder, boundedFetch, log }
    const speech = await openSpeech(settings, around)
    try {
      const here = speech.engines.ladder().filter(isEngine)
      if (!here.length) return wrong('no engine is here', `One of: ${speech.engines.howToGet}.`)
      const samples = join(folder, 'tone.pcm')
      const tone = Int16Array.from({ length: SAMPLE_RATE }, (_, place) => 3_000 * Math.sin(place / 20))
      await writeFile(samples, new Uint8Array(tone.buffer))
      const answers: string[] = []
      for (const { name, model, recognise } of ENGINES ? here : here.slice(0, 1)) {
        const since = Date.now()
        const pieces = [{ from: 0, to: 1 }]
        const part = { samples, pieces, gain: 1, key: randomUUID(), folder, noteSeconds: 1 }
        await recognise(part, 'en', AbortSignal.timeout(TIMEOUT_MS)).catch(error => {
          throw ENGINES ? new Error(`${name} (${model}): ${error.message}`, { cause: error }) : error
        })
        answers.push(`${name} (${model}) answers in ${(Date.now() - since) / 1000} s`)
      }
      return ok(answers.join(', '))
    } finally {
      speech.stop()
      await rm(folder, { recursive: true, force: true })
    }
  }
  return check('speech', next, () =>
    look().catch(error => {
      const denied = deniedBy(error)
      if (denied) return denied
      throw error
    }),
  )
}

/** Names the owner of an unreadable path, and how to make it readable; undefined for other errors. */
function deniedBy({ code, path }: NodeJS.ErrnoException) {
  if (code !== 'EACCES' || !path) return undefined
  let at = path
  for (;;)
    try {
      const { uid, mode } = statSync(at)
      const whose = `${at} belongs to user ${uid} (mode ${(mode & 0o777).toString(8)})`
      return wrong(
        `${whose}: user ${process.geteuid?.()}, as whom this runs, may not read it`,
        `Run Voxscribe as user ${uid}, or make it readable: chmod -R a+rX ${at}`,
      )
    } catch {
      // A folder above it is unreadable.
      at = dirname(at)
    }
}

/** Has the text model repeat a word. */
function textModelCheck(settings: TranscriptionSettings): Check {
  const { TEXT_MODEL = '' } = settings
  const next = 'Set TEXT_MODEL, TEXT_BASE_URL and TEXT_API_KEY as the provider states them.'
  return check('text-model', next, async () => {
    const model = createTextModel({ ...settings, TEXT_MODEL }, createLog('doctor', 'silent'), FREE)
    const schema = z.object({ word: z.string() })
    const task = { name: 'echo', instructions: 'Repeat the word.', data: { word: 'hello' }, schema }
    await model.forUser('').ask(task, AbortSignal.timeout(TIMEOUT_MS))
    return ok(`${TEXT_MODEL} answers`)
  })
}

/** Checks whether OpenAI has announced an end of the model. */
function speechModelCheck(settings: TranscriptionSettings): Check {
  const { OPENAI_MODEL: model } = settings
  return check('speech-model', NEXT_MODEL, async () => {
    const [retiring] = retiringModels(settings)
    return retiring
      ? wrong(`OpenAI ends ${retiring.model} on ${retiring.ends}`, NEXT_MODEL)
      : ok(`no end of ${model} is known`)
  })
}

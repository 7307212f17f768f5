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
  type Finding,
  ok,
  onlyWith,
  openBlobs,
  temporaryFolder,
  wrong,
} from '@voxscribe/service'
import {
  type Engine,
  isEngine,
  memoryLeft,
  openSpeech,
  REPLACEMENT_MODEL,
  retiringModels,
} from '@voxscribe/speech'
import { z } from 'zod'
import { factsOf } from './operators/engine-facts.ts'
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

/** Has each engine recognize one second of a low tone, and compares the machine's memory with that of a worker. */
function speechCheck(settings: TranscriptionSettings): Check {
  const key = settings.ENGINES ? 'Give the engine of ENGINES' : 'Set OPENAI_API_KEY to'
  const next = `${key} a key that can pay, or fetch the model again: npm run model -- NAME.`
  async function look() {
    const folder = await mkdtemp(join(tmpdir(), 'voxscribe-doctor-'))
    const log = createLog('doctor', 'silent')
    const around = { files: openBlobs(settings), temporaryFolder, boundedFetch, log }
    const speech = await openSpeech(settings, around)
    try {
      const ladder = speech.engines.ladder()
      const here = ladder.filter(isEngine)
      if (!here.length) return wrong('no engine is here', `One of: ${speech.engines.howToGet}.`)
      const samples = join(folder, 'tone.pcm')
      const tone = Int16Array.from({ length: SAMPLE_RATE }, (_, place) => 3_000 * Math.sin(place / 20))
      await writeFile(samples, new Uint8Array(tone.buffer))
      const part = { samples, pieces: [{ from: 0, to: 1 }], gain: 1, folder, noteSeconds: 1 }
      const faults = speech.engines.isListed
        ? ladder.filter(engine => !isEngine(engine)).map(({ name }) => `${name} is not here`)
        : []
      const tryEngine = async (engine: Engine) => {
        const { name, model, recognise } = engine
        const since = Date.now()
        const signal = AbortSignal.timeout(TIMEOUT_MS)
        const named = `${name} (${model})`
        try {
          await recognise({ ...part, key: randomUUID() }, 'en', signal)
          return `${named} answers in ${(Date.now() - since) / 1000} s: ${factsOf(engine).join(', ')}`
        } catch (error) {
          faults.push(`${named}: ${(error as Error).message}`)
          return ''
        }
      }
      const answers = (await Promise.all(here.map(tryEngine))).filter(Boolean)
      const memory = memoryFinding(here, memoryLeft(settings))
      if (faults.length) return wrong([...faults, ...answers].join('; '), next)
      return memory.state === 'ok' ? ok([...answers, memory.saw].filter(Boolean).join('; ')) : memory
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

/** Has fewer wrong words than Whisper base in its languages, by its makers' figures. */
const BETTER = 'parakeet-v3'
const LEFT_FOR_BETTER_MEGABYTES = 4_000

/** Says which memory a worker lacks, or which model the rest of it allows; `left`: the megabytes beside all workers. */
export function memoryFinding(engines: Pick<Engine, 'kind' | 'model'>[], left: number): Finding {
  const local = engines.filter(({ kind }) => kind === 'local').map(({ model }) => model)
  if (!local.length) return ok('')
  if (left < 0)
    return wrong(
      `a worker with ${local.join(' or ')} lacks ${-left} MB of memory`,
      'Give the machine or container more memory, or choose a smaller model: docs/operations.md.',
    )
  const isBetterPossible = left >= LEFT_FOR_BETTER_MEGABYTES && !local.includes(BETTER)
  return ok(isBetterPossible ? `${Math.floor(left / 1000)} GB of memory are left, enough for ${BETTER}` : '')
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

// npm run model: the models of `local` on this machine.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readSettings, SettingsError, temporaryPlace } from '@voxscribe/service'
import {
  createNativePool,
  DEFAULT,
  DETECTOR,
  fetchModel,
  fetchNeeded,
  MODELS,
  type Model,
  type ModelFiles,
  type Models,
  modelNamed,
  modelsOf,
  SAMPLE_RATE,
  say,
  VOICES,
} from '@voxscribe/speech'
import { modelSettings } from '../settings.ts'

const HELP = `npm run model                    lists the models, with the speed of those that are here
npm run model -- NAME            fetches one, with the voice activity detector
npm run model -- needed          fetches what this machine needs: LOCAL_MODEL, else ${DEFAULT.name}, else English alone
LOCAL_MODEL and SPEAKER_MODEL choose one of those that are here; a folder that is deleted is removed.
`

/** Uses of models that know no language. */
const USES: Record<string, string> = { detector: 'voice activity', voices: 'who speaks' }

class UsageError extends Error {}

function known(name: string): Model {
  const model = modelNamed(name)
  if (model) return model
  const names = [...MODELS, VOICES, DETECTOR].map(each => each.name).join(', ')
  throw new UsageError(`There is no model ${name}. Known are: ${names}.`)
}

async function list(models: Models): Promise<void> {
  say(`Models are in ${models.folder}`)
  for (const model of [DETECTOR, ...MODELS, VOICES]) {
    const { name, megabytes, licence, languages, kind } = model
    const spoken = languages.length > 5 ? `${languages.length} languages` : languages.join(' ')
    const columns = [
      name.padEnd(20),
      `${megabytes} MB`.padStart(8),
      ` ${(USES[kind] ?? spoken).padEnd(14)}`,
      ` ${licence.padEnd(20)}`,
      ` ${await stateOf(model, models)}`,
    ]
    say(columns.join(' '))
  }
}

async function stateOf(model: Model, models: Models): Promise<string> {
  const { name, kind } = model
  if (!models.isHere(model)) return 'not here'
  if (kind === 'detector' || kind === 'voices') return 'here'
  const speed = await speedOf({ kind, folder: join(models.folder, name) })
  const measured = speed === null ? 'cannot be loaded' : `${(1 / speed).toFixed(0)} times as fast as speech`
  return `here, ${measured}${models.chosen()?.name === name ? ', in use' : ''}`
}

const SECONDS = 8
const LIMIT_MS = 120_000

/** Returns the seconds that a loaded model needs per second of audio on this machine; null if it can't be loaded. */
async function speedOf(model: ModelFiles): Promise<number | null> {
  const pool = createNativePool(1)
  const { path, remove } = temporaryPlace('voxscribe-speed-')
  const task = {
    do: 'recognise',
    model,
    path,
    gain: 1,
    span: { from: 0, to: SECONDS },
    language: '',
  } as const
  const listen = () => pool.run(task, { signal: new AbortController().signal, limitMs: LIMIT_MS })
  try {
    await writeFile(path, hum())
    await listen()
    const started = performance.now()
    await listen()
    return (performance.now() - started) / 1000 / SECONDS
  } catch {
    return null
  } finally {
    pool.close()
    await remove()
  }
}

/** A sawtooth at the pitch and rhythm of a voice: a model's speed hardly depends on the words. */
const hum = () =>
  Int16Array.from({ length: SECONDS * SAMPLE_RATE }, (_, at) => {
    const second = at / SAMPLE_RATE
    return 8_000 * (((140 * second) % 1) - 0.5) * Math.abs(Math.sin(8 * second))
  })

async function run([command]: string[]): Promise<void> {
  const settings = readSettings(modelSettings, process.env)
  const models = modelsOf(settings)
  const fetching = { models, source: settings.MODEL_SOURCE, signal: new AbortController().signal }
  if (!command) return list(models)
  if (command === 'help' || command === '--help') return void process.stdout.write(HELP)
  if (command === 'needed') {
    await fetchNeeded(fetching)
    if (!models.chosen()) process.exitCode = 1
    return
  }
  for (const model of new Set([known(command), DETECTOR])) {
    if (models.isHere(model)) say(`${model.name} is here.`)
    else await fetchModel(model, fetching)
  }
}

try {
  await run(process.argv.slice(2))
} catch (error) {
  const isPlain = error instanceof UsageError || error instanceof SettingsError
  process.stderr.write(`${(error as Error).message}\n${isPlain ? HELP : ''}`)
  process.exitCode = 1
}

// npm run model: the models of `local` on this machine.
import { join } from 'node:path'
import { readSettings, SettingsError } from '@voxscribe/service'
import { fetchModel, fetchNeeded, say } from './fetch.ts'
import { type Models, modelSettings, modelsOf } from './folder.ts'
import { speedOf } from './speed.ts'
import { DEFAULT, DETECTOR, MODELS, type Model, modelNamed } from './table.ts'

const HELP = `npm run model                    lists the models, with the speed of those that are here
npm run model -- NAME            fetches one, with the voice activity detector
npm run model -- needed          fetches what this machine needs: LOCAL_MODEL, else ${DEFAULT.name}, else English alone
LOCAL_MODEL chooses one of those that are here; a folder that is deleted is removed.
`

class UsageError extends Error {}

function known(name: string): Model {
  const model = modelNamed(name)
  if (model) return model
  const names = [...MODELS, DETECTOR].map(each => each.name).join(', ')
  throw new UsageError(`There is no model ${name}. Known are: ${names}.`)
}

async function list(models: Models): Promise<void> {
  say(`Models are in ${models.folder}`)
  for (const model of [DETECTOR, ...MODELS]) {
    const { name, megabytes, licence, languages, kind } = model
    const spoken = languages.length > 5 ? `${languages.length} languages` : languages.join(' ')
    const columns = [
      name.padEnd(20),
      `${megabytes} MB`.padStart(8),
      ` ${kind === 'detector' ? 'voice activity' : spoken.padEnd(14)}`,
      ` ${licence.padEnd(20)}`,
      ` ${await stateOf(model, models)}`,
    ]
    say(columns.join(' '))
  }
}

async function stateOf(model: Model, models: Models): Promise<string> {
  const { name, kind } = model
  if (!models.isHere(model)) return 'not here'
  if (kind === 'detector') return 'here'
  const speed = await speedOf({ kind, folder: join(models.folder, name) })
  const measured = speed === null ? 'cannot be loaded' : `${(1 / speed).toFixed(0)} times as fast as speech`
  return `here, ${measured}${models.chosen()?.name === name ? ', in use' : ''}`
}

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
  for (const model of new Set([DETECTOR, known(command)])) {
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

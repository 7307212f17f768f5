import { globSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'

// Model tests with schedules that CI does not try, by all cores and without jest, in whose sandbox they take twice as
// long: `npm run models -- binding --schedules 50000 --seed 7`.

/** Schedules after which a thread begins again with the next seed. */
const SLICE = 25_000

interface Slice {
  file: string
  schedules: number
  seed: number
}

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { schedules: { type: 'string', default: '1000000' }, seed: { type: 'string', default: '2' } },
})

/** Resolves with what failed; undefined when everything holds. */
function inThread(slice: Slice): Promise<string | undefined> {
  const env = { ...process.env, SCHEDULES: String(slice.schedules), SEED: String(slice.seed) }
  return new Promise((resolve, reject) => {
    const thread = new Worker(new URL(import.meta.url), { workerData: slice, env })
    thread.once('message', resolve).once('error', reject)
  })
}

async function runAll(): Promise<void> {
  const files = globSync('{packages,services}/*/src/**/*-model.test.ts').filter(
    file => !positionals.length || positionals.some(name => file.includes(name)),
  )
  const starts = Array.from({ length: Math.ceil(Number(values.schedules) / SLICE) }, (_, index) => index)
  const slices = files.flatMap(file =>
    starts.map(index => ({
      file,
      schedules: Math.min(SLICE, Number(values.schedules) - index * SLICE),
      seed: Number(values.seed) + index,
    })),
  )
  const tried = new Map<string, number>()
  async function runSlices(): Promise<void> {
    for (let slice = slices.shift(); slice; slice = slices.shift()) {
      const { file, seed, schedules } = slice
      const begun = performance.now()
      const failure = await inThread(slice)
      if (failure) {
        console.log(failure)
        process.exitCode = 1
        slices.splice(0, slices.length, ...slices.filter(other => other.file !== file))
        continue
      }
      tried.set(file, (tried.get(file) ?? 0) + schedules)
      const rate = Math.round((schedules / (performance.now() - begun)) * 1000)
      console.log(`${file}: ${tried.get(file)} schedules hold, seed ${seed}, ${rate} a second`)
    }
  }
  await Promise.all(Array.from({ length: availableParallelism() }, runSlices))
}

async function runOne({ file, seed }: Slice): Promise<void> {
  const cases: [name: string, run: () => unknown][] = []
  Object.assign(globalThis, { test: (name: string, run: () => unknown) => cases.push([name, run]) })
  await import(pathToFileURL(file).href)
  try {
    for (const [name, run] of cases) {
      const failed = (error: unknown) => {
        throw new Error(`${file}, seed ${seed}: ${name}`, { cause: error })
      }
      await Promise.try(run).catch(failed)
    }
    parentPort?.postMessage(undefined)
  } catch (error) {
    const { message, cause } = error as Error
    parentPort?.postMessage(`${message}\n${(cause as Error).stack}`)
  }
  process.exit()
}

await (isMainThread ? runAll() : runOne(workerData))

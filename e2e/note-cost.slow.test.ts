import { execFile } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pass } from 'node:timers/promises'
import { promisify } from 'node:util'
import { startEmbeddedMongo } from '@voxscribe/embedded-mongo'
import { startRabbitServer } from '@voxscribe/messaging/testing'
import { WORK_STEPS } from '../services/transcription/src/note/record.ts'
import { type Budget, COMMANDS, IDLE_A_SECOND, MESSAGES } from './note-budget.ts'
import { startCountingEngine } from './testing/counting-engine.ts'
import { type CountingProxy, type Counts, countCommands, countMessages } from './testing/counting-proxy.ts'
import { startOneProcess } from './testing/one-process.ts'
import { signUp } from './testing/person.ts'
import { type Backings, signingKeys, startProcesses } from './testing/processes.ts'
import { speechOf } from './testing/speech.ts'
import { newDataDir, ROOT, type System } from './testing/system.ts'
import { WHATSAPP } from './testing/webhook.ts'

const NOTES = 8
/** Long enough for each periodic job, whose cost isn't a note's, and for a heartbeat of a page. */
const IDLE_MS = 30_000
/** The last writes of a note follow its answer. */
const AFTERWARDS_MS = 2_000
/** Periodic jobs aren't synchronized: there may be one more look at the queue, with a command per step. */
const NOISE = (WORK_STEPS.length + 1) / NOTES
/** Processes hand over jobs that one of them does for all, and two may do them meanwhile: a command more per note. */
const NOISE_OF_SEVERAL = (NOTES - 1) / NOTES

interface Cost {
  /** Of one note, by name. */
  each: Counts
  /** During IDLE_MS without a note. */
  idle: Counts
}

interface Measured {
  /** Counts of each proxy. */
  costs: Cost[]
  answers: number
  /** Calls of the engine. */
  calls: number
}

const total = (counts: Counts) => [...counts.values()].reduce((sum, count) => sum + count, 0)

/** Processes of transcription if services run separately: notes alternate between them, and each has a first note. */
const TRANSCRIPTIONS = 3

/** Returns the cost of a person's ordinary voice notes, sent one after another, without that of an idle system. */
async function costOfNote(system: System, proxies: CountingProxy[]): Promise<Measured> {
  const person = await signUp(system)
  const send = async (seconds: number, name: string) =>
    person.replyTo(await person.sendNote(await speechOf(seconds, `${name}.ogg`), { voice: true }))
  await person.sendText(person.user.link_code ?? '')
  await person.replies(1)
  // The first note gets a greeting, and a process fills its caches with its first note.
  for (let index = 0; index < TRANSCRIPTIONS; index++) await send(2 + index / 10, `first-${index}`)
  await pass(AFTERWARDS_MS)
  const earlier = (await person.replies(1)).length
  const calls = engine.calls()
  for (const proxy of proxies) proxy.take()
  await pass(IDLE_MS)
  const idle = proxies.map(proxy => proxy.take())

  const from = performance.now()
  for (let index = 0; index < NOTES; index++) await send(3 + index / 10, `note-${index}`)
  await pass(AFTERWARDS_MS)
  const took = Math.ceil((performance.now() - from) / IDLE_MS)
  // A multiple of this time contains each periodic job equally often.
  await pass(Math.max(0, took * IDLE_MS - (performance.now() - from)))
  const costs = proxies.map((proxy, index) => {
    const before = idle[index] ?? new Map()
    const each = [...proxy.take()].map(([name, count]): [string, number] => [
      name,
      (count - (before.get(name) ?? 0) * took) / NOTES,
    ])
    return { each: new Map(each), idle: before }
  })
  return { costs, answers: (await person.replies(1)).length - earlier, calls: engine.calls() - calls }
}

/** Creates indexes and queues, as before the start of a new version. */
async function migrate(backings: Backings): Promise<void> {
  const folder = await newDataDir()
  const { privateKey, publicKey } = await signingKeys(folder)
  const keys = { JWT_PRIVATE_KEY: privateKey, JWT_PUBLIC_KEY: publicKey }
  const stripe = { STRIPE_SECRET_KEY: 'sk_test', STRIPE_WEBHOOK_SECRET: 'whsec_1', STRIPE_PRICE_ID: 'price' }
  const own = { ...WHATSAPP, ...stripe, ...keys, DATA_DIR: folder, SMTP_URL: 'smtp://127.0.0.1:1' }
  const env = { ...process.env, ...backings, ...own }
  await promisify(execFile)(process.execPath, [join(ROOT, 'deploy/migrate.ts')], { env })
  await rm(folder, { recursive: true })
}

const PAGES = 20
/** Interval at which each process looks for accounts to sweep. */
const SWEEP_EVERY_MS = 5_000

/** Opens pages of one person and returns a function that closes them. */
async function openPages(system: System): Promise<() => void> {
  const { http } = await signUp(system)
  const pages = await Promise.all(
    Array.from({ length: PAGES }, () =>
      http.get('/transcriptions/events', { responseType: 'stream', timeout: 0 }),
    ),
  )
  expect(pages.map(({ status }) => status)).toEqual(Array(PAGES).fill(200))
  return () => {
    for (const { data } of pages) data.destroy()
  }
}

/** Counts lookups of accounts by processes of transcription for pages, without their sweeps. */
function readsOfPages({ idle }: Cost, processes: number): number {
  const reads = idle.get('transcription.closed_accounts find') ?? 0
  return Math.max(0, reads - processes * Math.ceil(IDLE_MS / SWEEP_EVERY_MS))
}

const engine = await startCountingEngine(0)
const rabbit = await startRabbitServer()
afterAll(async () => {
  await engine.stop()
  await rabbit?.stop()
})

/** Returns each name that exceeds its budget or has no budget. */
function dearerIn({ each }: Cost, budget: Budget, noise = NOISE): string[] {
  const dearer = [...each].filter(([name, count]) => count > (budget[name]?.[0] ?? 0) + noise)
  return dearer.map(([name, count]) => `${name}: ${count.toFixed(2)}, allowed ${budget[name]?.[0] ?? 0}`)
}

/**
 * Fails if notes exceed their budgets (one for each proxy) twice in a row: real costs recur, while on a slow machine a
 * periodic job may happen to run once more among the notes.
 */
async function costWithin(
  system: System,
  proxies: CountingProxy[],
  budgets: [budget: Budget, noise?: number][],
): Promise<Measured> {
  const measure = async () => {
    const measured = await costOfNote(system, proxies)
    return { measured, dearer: budgets.flatMap((budget, at) => dearerIn(measured.costs[at]!, ...budget)) }
  }
  const first = await measure()
  const { measured, dearer } = first.dearer.length ? await measure() : first
  expect(dearer).toEqual([])
  return measured
}

/** Runs work with a database and then removes it. */
async function onMongo<T>(use: (commands: CountingProxy) => Promise<T>): Promise<T> {
  const folder = await newDataDir()
  const mongo = await startEmbeddedMongo({ path: folder })
  const commands = await countCommands(mongo.url)
  try {
    return await use(commands)
  } finally {
    await commands.stop()
    await mongo.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

describe('what one ordinary note costs', () => {
  test('when everything is in one process, then a note and an idle system are within the budget', async () => {
    await onMongo(async commands => {
      const system = await startOneProcess({ ...engine.settings, MONGO_URL: commands.url })
      try {
        const { costs, answers, calls } = await costWithin(system, [commands], [[COMMANDS]])
        expect(total(costs[0]!.idle) / (IDLE_MS / 1_000)).toBeLessThan(IDLE_A_SECOND)
        expect({ answers, calls }).toEqual({ answers: NOTES, calls: NOTES })
      } finally {
        await system.remove()
      }
    })
  })

  const onRabbit = rabbit ? test : test.skip
  onRabbit('when services run apart, with three of transcription, then it is the same', async () => {
    await onMongo(async commands => {
      const messages = await countMessages(rabbit!.url)
      const backings = { MONGO_URL: commands.url, RABBITMQ_URL: messages.url }
      await migrate(backings)
      for (const proxy of [commands, messages]) proxy.take()
      const system = await startProcesses(backings, {
        env: engine.settings,
        replicas: { transcription: TRANSCRIPTIONS },
      })
      try {
        const begun = [commands, messages].flatMap(proxy => [...proxy.take().keys()])
        expect(begun.filter(name => /createIndexes$|^declare$/.test(name))).toEqual([])
        const closePages = await openPages(system)
        const { costs, answers } = await costWithin(
          system,
          [commands, messages],
          [[COMMANDS, NOISE_OF_SEVERAL], [MESSAGES]],
        )
        closePages()
        expect(answers).toBe(NOTES)
        expect(readsOfPages(costs[0]!, TRANSCRIPTIONS)).toBe(0)
      } finally {
        await system.remove()
        await messages.stop()
      }
    })
  })
})

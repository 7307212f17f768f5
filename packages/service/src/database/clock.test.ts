import { startEmbeddedMongo } from '@voxscribe/embedded-mongo'
import { silentLog } from '../testing.ts'
import { followClock } from './clock.ts'
import { openDocuments } from './documents.ts'

const Machine = Date
const MINUTE = 60_000

let aheadMs = 0
let tookMs = 0
let ms = 0
const warnings: unknown[] = []
const log = Object.assign(Object.create(silentLog), { warn: (facts: unknown) => void warnings.push(facts) })
async function ask() {
  ms += tookMs
  return new Machine(Machine.now() + aheadMs)
}
const look = async () => (await followClock(ask, log, { elapsed: () => ms }))()
/** Whole seconds, in milliseconds: between two readings a busy machine may do something else. */
const aheadOfMachine = () => Math.round((Date.now() - Machine.now()) / 1_000) * 1_000

afterEach(async () => {
  aheadMs = 0
  tookMs = 0
  await look()
  globalThis.Date = Machine
  warnings.length = 0
})

test.each([10, -10])('when the database is %s minutes ahead, then every date goes by it', async minutes => {
  aheadMs = minutes * MINUTE
  await look()
  expect(aheadOfMachine()).toBe(aheadMs)
  const made = new Date()
  expect(made.getTime() - Machine.now()).toBeCloseTo(aheadMs, -3)
  expect(Date()).toBe(new Date().toString())
  expect(warnings).toHaveLength(1)
})

test('when it is followed, then a date that is given is that date, and each is one wherever it was made', async () => {
  aheadMs = 10 * MINUTE
  await look()
  expect(new Date(0).toISOString()).toBe('1970-01-01T00:00:00.000Z')
  expect(Date.UTC(1970, 0)).toBe(0)
  expect(new Machine()).toBeInstanceOf(Date)
  expect(new Date()).toBeInstanceOf(Machine)
})

test('when the clocks differ by less than a second, then nothing changes', async () => {
  aheadMs = 900
  await look()
  expect(Date).toBe(Machine)
  expect(warnings).toEqual([])
})

test('when the reply was long under way, then only a difference counts that this does not explain', async () => {
  tookMs = 8_000
  aheadMs = -8_000
  await look()
  expect(Date).toBe(Machine)
  aheadMs = 10 * MINUTE
  await look()
  expect(aheadOfMachine() - aheadMs).toBe(tookMs / 2)
  tookMs = 0
  await look()
  expect(aheadOfMachine()).toBe(aheadMs)
})

test('when the machine’s clock is set right, or wrong by more, then dates go by the database again', async () => {
  for (const ahead of [10 * MINUTE, 0, -5 * MINUTE]) {
    aheadMs = ahead
    await look()
    expect(aheadOfMachine()).toBe(ahead)
  }
  expect(warnings).toHaveLength(3)
})

test('when the database is away at the start, then that fails; later on the clock stays as it is', async () => {
  aheadMs = 10 * MINUTE
  let asked = 0
  const { promise: isAskedAgain, resolve: askedAgain } = Promise.withResolvers<void>()
  async function askOnce() {
    asked += 1
    if (asked > 2) askedAgain()
    if (asked > 1) throw new Error('away')
    return ask()
  }
  const stop = await followClock(askOnce, log, { elapsed: () => ms, everyMs: 1 })
  await isAskedAgain
  await stop()
  expect(aheadOfMachine()).toBe(aheadMs)
  await expect(followClock(askOnce, log)).rejects.toThrow('away')
})

test('when the database does not tell its time, then nothing changes', async () => {
  await (await followClock(async () => undefined, log))()
  expect(Date).toBe(Machine)
})

test('the database tells its time', async () => {
  const mongo = await startEmbeddedMongo({ path: ':memory:' })
  const documents = await openDocuments(mongo.url, 'clock', () => {})
  expect(Number(await documents.time()) - Date.now()).toBeCloseTo(0, -4)
  await documents.close()
  await mongo.stop()
})

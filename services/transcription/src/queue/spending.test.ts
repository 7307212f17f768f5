import { Problem } from '@voxscribe/service'
import { eventually, startTestBackings } from '@voxscribe/service/testing'
import { type Engine, NotNow } from '@voxscribe/speech'
import { partOf } from '@voxscribe/speech/testing'
import mongoose, { type Schema } from 'mongoose'
import { budgetDollars, createBudget, engineCost, spentDollars, textModelCost } from './spending.ts'

const SPEECH = { segments: [], language: 'en', timesExact: true }
const { signal } = new AbortController()
const FREE_OF_COST = {
  partSeconds: 60,
  partsAtOnce: 1,
  languages: ['en'],
  perMinute: 0,
  times: 'none',
} as const
/** An engine at one dollar per minute. */
const paid = (call = async () => SPEECH): Engine => ({
  name: 'openai',
  kind: 'openai',
  model: 'm',
  abilities: { ...FREE_OF_COST, perMinute: 1 },
  recognise: ({ pay = call => call() }) => pay(call),
})

let backings: Awaited<ReturnType<typeof startTestBackings>>
let database: mongoose.Connection
let at: string
const logged: string[] = []
const log = { warn: (_facts: object, line: string) => void logged.push(line) } as never
beforeAll(async () => {
  backings = await startTestBackings()
  database = await mongoose.createConnection(backings.mongoUrl, { dbName: 'budget' }).asPromise()
})
afterAll(async () => {
  await database.close()
  await backings.stop()
})
beforeEach(async () => {
  at = '2026-11-23T10:00:00Z'
  logged.length = 0
  engineCost.reset()
  textModelCost.reset()
  await database.collection('model_costs').deleteMany({})
})

const documents = {
  model: (name: string, schema: Schema) => database.models[name] ?? database.model(name, schema, name),
}
/** Creates the budget of one replica. */
const budgetOf = (dollars = 0) =>
  createBudget({ documents: documents as never, now: () => new Date(at), log }, dollars)
const minutes = (count: number) => partOf({ pieces: [{ from: 0, to: count * 60 }] })
const hear = (engine: Engine, count = 1) => engine.recognise(minutes(count), 'en', signal)
const spent = async () =>
  Number((await database.collection('model_costs').findOne({}))?.microDollars ?? 0) / 1_000_000
const counted = async () => (await engineCost.get()).values[0]?.value ?? 0

test('when calls are under way at the edge of the budget, then they may end, and no replica begins another', async () => {
  const ends: (() => void)[] = []
  const slow = paid(() => new Promise(resolve => ends.push(() => resolve(SPEECH))))
  const replicas = [budgetOf(5), budgetOf(5)].map(budget => budget.paying(slow))
  const underWay = Array.from({ length: 8 }, (_, n) => hear(replicas[n % 2]!))
  await eventually(() => ends.length === 8)
  for (const end of ends) end()
  expect(await Promise.all(underWay)).toEqual(Array(8).fill(SPEECH))
  for (const replica of replicas) await expect(hear(replica)).rejects.toThrow('engine_budget_used')
  expect([await spent(), await counted()]).toEqual([8, 8])
  expect(logged).toHaveLength(1)
})

test('when engines have spent it, then the text model is refused until midnight in UTC, and the other way round', async () => {
  const budget = budgetOf(2)
  const summarise = () =>
    budget.forText('small-1')(
      9,
      async () => 'answer',
      answer => answer.length / 6,
    )
  await hear(budget.paying(paid()))
  expect(await summarise()).toBe('answer')
  expect([await spent(), (await textModelCost.get()).values[0]?.value]).toEqual([2, 1])
  await expect(hear(budget.paying(paid()))).rejects.toThrow('engine_budget_used')
  const refused = await summarise().catch((error: Problem) => error)
  expect(refused).toBeInstanceOf(Problem)
  expect(refused).toMatchObject({ status: 429, code: 'model_budget_spent', retryAfterSeconds: 14 * 3600 })
})

test('when the budget is spent, then the log says so once a day, and the next day begins at zero', async () => {
  const engine = budgetOf(1).paying(paid())
  const refused = () => expect(hear(engine)).rejects.toThrow('engine_budget_used')
  await hear(engine)
  await refused()
  await refused()
  expect(logged).toHaveLength(1)
  at = '2026-11-23T23:59:59Z'
  await refused()
  at = '2026-11-24T00:00:00Z'
  expect(await hear(engine)).toBe(SPEECH)
  await refused()
  expect(logged).toHaveLength(2)
})

const answered = (status: number) => Object.assign(new Error('no'), { status })
test.each([
  ['answered with 400', answered(400), 0],
  ['answered with 503', answered(503), 0],
  ['aborted', new DOMException('stop', 'AbortError'), 1],
  ['timed out', Object.assign(new Error('Request timed out.'), { status: undefined }), 1],
  ['broken off', new TypeError('terminated'), 1],
  ['answered with something else', new SyntaxError('Unexpected token'), 1],
])(
  'when a call is %s, then its cost is counted unless that was an error of the provider',
  async (_how, error, cost) => {
    for (const dollars of [1, 0]) {
      engineCost.reset()
      await expect(hear(budgetOf(dollars).paying(paid(() => Promise.reject(error))))).rejects.toBe(error)
      expect(await counted()).toBe(cost)
    }
    expect(await spent()).toBe(cost)
  },
)

test('when no call is made, as the engine waits, then nothing is counted', async () => {
  const waits = { ...paid(), recognise: () => Promise.reject(new NotNow('busy', 1)) }
  await expect(hear(budgetOf(1).paying(waits))).rejects.toThrow('busy')
  expect([await spent(), await counted()]).toEqual([0, 0])
})

test('when an engine is free, or there is no budget, then nothing is kept', async () => {
  const free = { ...paid(), abilities: FREE_OF_COST }
  expect(await hear(budgetOf(1).paying(free), 100)).toBe(SPEECH)
  expect(await counted()).toBe(0)
  expect(await hear(budgetOf().paying(paid()), 100)).toBe(SPEECH)
  expect([await spent(), await counted()]).toEqual([0, 100])
})

test('when metrics are read, then every replica tells what all have spent', async () => {
  await hear(budgetOf(4).paying(paid()), 3)
  await budgetOf(4).look()
  expect((await spentDollars.get()).values[0]?.value).toBe(3)
  expect((await budgetDollars.get()).values[0]?.value).toBe(4)
})

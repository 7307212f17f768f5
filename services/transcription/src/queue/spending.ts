import { reason } from '@voxscribe/contracts/reasons'
import { type Documents, insertOnce, type Logger, Problem, refusal, schemaOf } from '@voxscribe/service'
import { type Engine, lengthOfAll, Unworkable } from '@voxscribe/speech'
import { z } from 'zod'
import {
  budgetDollars,
  engineCost,
  spentDollars,
  textBudgetDollars,
  textModelCost,
  textSpentDollars,
} from '../metrics.ts'
import type { TranscriptionSettings } from '../settings.ts'

/** Writes down what a call has cost, once it is over. */
type Settle = (cost: number) => Promise<unknown>
/** Takes the expected cost of a call, or throws when there is not so much left. */
export type Take = (cost: number) => Promise<Settle>

/** Of what costs nothing. */
export const FREE: Take = async () => async () => {}

/** Makes a call that costs, unless the provider answered with an error: one that broke off may be billed. */
export async function paid<T>(
  take: Take,
  expected: number,
  call: () => Promise<T>,
  costOf: (answer: T) => number = () => expected,
): Promise<T> {
  const settle = await take(expected)
  let cost = expected
  try {
    const answer = await call()
    cost = costOf(answer)
    return answer
  } catch (error) {
    if (error instanceof Problem || typeof (error as { status?: unknown })?.status === 'number') cost = 0
    throw error
  } finally {
    await settle(cost)
  }
}

/** The cost of a month, UTC. */
const Spent = z.object({
  /** `2026-11` */
  _id: z.string(),
  /** Millionths of a US dollar. */
  microDollars: z.number(),
  /** The day on which the log last said that the month's budget is used up. */
  warnedOn: z.string().optional(),
})

const MICRO = 1_000_000

interface Deps {
  documents: Pick<Documents, 'model'>
  now(): Date
  log: Logger
}

interface Kind {
  /** Of the months' sums. */
  collection: string
  /** US dollars a month; undefined: without limit. */
  dollars: number | undefined
  spent: typeof spentDollars
  most: typeof budgetDollars
  /** For the log. */
  usedUp: string
  refusal(): Error
}

/** Keeps costs within a monthly budget, for all processes together: each is added before its call. */
function createBudget({ documents, now, log }: Deps, kind: Kind) {
  const { collection, dollars, spent, most, usedUp, refusal } = kind
  if (dollars === undefined) return { take: FREE, look: async () => {} }
  const months = documents.model(collection, schemaOf(Spent), {
    owner: null,
    because: 'sums of the installation',
  })
  const today = () => now().toISOString().slice(0, 10)
  const thisMonth = () => today().slice(0, 7)

  async function add(_id: string, cost: number): Promise<boolean> {
    const fits = { _id, microDollars: { $lte: dollars! * MICRO - cost } }
    const added = async () =>
      (await months.updateOne(fits, { $inc: { microDollars: cost } })).matchedCount > 0
    if (await added()) return true
    // It is the month's first call, perhaps of several at once.
    await insertOnce(months, { _id, microDollars: 0 })
    return added()
  }

  /** Logs at most once a day, whichever process it is. */
  async function warn(_id: string): Promise<void> {
    const warnedOn = today()
    const { matchedCount } = await months.updateOne(
      { _id, warnedOn: { $ne: warnedOn } },
      { $set: { warnedOn } },
    )
    if (matchedCount) log.warn({ dollars }, usedUp)
  }

  return {
    async take(cost: number): Promise<Settle> {
      const month = thisMonth()
      const expected = Math.ceil(cost * MICRO)
      if (!(await add(month, expected))) {
        await warn(month)
        throw refusal()
      }
      return async actual => {
        const more = Math.ceil(actual * MICRO) - expected
        if (more) await months.updateOne({ _id: month }, { $inc: { microDollars: more } })
      }
    },
    /** Updates the metrics. */
    async look() {
      const sum = await months.findById(thisMonth()).lean()
      spent.set((sum?.microDollars ?? 0) / MICRO)
      most.set(dollars)
    },
  }
}

/** Counts settled costs, with or without a budget. */
const counting =
  (take: Take, count: (dollars: number) => void): Take =>
  async expected => {
    const settle = await take(expected)
    return async cost => {
      if (cost) count(cost)
      await settle(cost)
    }
  }

/** Keeps the cost of engines within ENGINE_BUDGET, by their published prices. */
export function createEngineBudget(deps: Deps, dollars: number | undefined) {
  const { take, look } = createBudget(deps, {
    collection: 'engine_costs',
    dollars,
    spent: spentDollars,
    most: budgetDollars,
    usedUp: 'ENGINE_BUDGET of this month is used up: paid engines are passed by',
    refusal: () => new Unworkable(reason('engine_budget_used')),
  })
  return {
    look,
    /** Returns the engine with a cost for each of its calls. */
    paying(engine: Engine): Engine {
      const { name, model, takes } = engine
      const counted = counting(take, dollars => engineCost.inc({ engine: name, model }, dollars))
      return {
        ...engine,
        recognise(part, ...rest) {
          const cost = (lengthOfAll(part.pieces) / 60) * takes.perMinute
          return engine.recognise(cost ? { ...part, pay: call => paid(counted, cost, call) } : part, ...rest)
        },
      }
    },
  }
}
export type EngineBudget = ReturnType<typeof createEngineBudget>

type TextSettings = Pick<TranscriptionSettings, 'TEXT_MODEL' | 'TEXT_BUDGET'>

/** Keeps the cost of the text model within TEXT_BUDGET, by TEXT_PRICE. */
export function createTextBudget(deps: Deps, { TEXT_MODEL: model = '', TEXT_BUDGET }: TextSettings) {
  const { take, look } = createBudget(deps, {
    collection: 'text_costs',
    dollars: TEXT_BUDGET,
    spent: textSpentDollars,
    most: textBudgetDollars,
    usedUp: 'TEXT_BUDGET of this month is used up: no summaries and translations are made',
    refusal: () => refusal('text_budget_spent'),
  })
  return { take: counting(take, dollars => textModelCost.inc({ model }, dollars)), look }
}

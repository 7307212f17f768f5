import { reason } from '@voxscribe/contracts/reasons'
import {
  counter,
  type Documents,
  gauge,
  insertOnce,
  type Logger,
  limitReached,
  schemaOf,
} from '@voxscribe/service'
import { type Engine, lengthOfAll, Unworkable } from '@voxscribe/speech'
import { z } from 'zod'

export const engineCost = counter({
  name: 'transcription_engine_cost_dollars_total',
  help: 'What calls of speech engines have cost, by their published prices; with those that may be billed, as they broke off',
  labelNames: ['engine', 'model'],
})
export const textModelCost = counter({
  name: 'text_model_cost_dollars_total',
  help: 'What calls of the text model have cost, by TEXT_PRICE or its published price; with those that may be billed, as they broke off',
  labelNames: ['model'],
})
export const spentDollars = gauge({
  name: 'model_spent_dollars',
  help: 'What engines and the text model have cost today (UTC), in all processes; only with MODEL_BUDGET',
})
export const budgetDollars = gauge({
  name: 'model_budget_dollars',
  help: 'What engines and the text model may cost a day: MODEL_BUDGET; 0: no limit',
})

/** Makes a call and counts its cost: `costOf` its answer, else `expected`, in dollars. Throws over the day's budget. */
export type Pay = <T>(
  expected: number,
  call: () => Promise<T>,
  costOf?: (answer: T) => number | undefined,
) => Promise<T>

/** For calls that cost nothing. */
export const FREE: Pay = (_, call) => call()

/** The cost of one UTC day. */
const Spent = z.object({
  /** `2026-11-29` */
  _id: z.string(),
  /** Millionths of a US dollar. */
  microDollars: z.number(),
  /** Whether the log has warned that the day's budget is spent. */
  isLogged: z.boolean().optional(),
})

const MICRO = 1_000_000
const DAY_SECONDS = 86_400

interface Deps {
  documents: Pick<Documents, 'model'>
  now(): Date
  log: Logger
}

/** Limits the cost of engines and the text model to `dollars` a day, over all processes; 0: no limit. */
export function createBudget({ documents, now, log }: Deps, dollars: number) {
  const owner = { owner: null, because: 'sums of the installation' } as const
  const days = dollars ? documents.model('model_costs', schemaOf(Spent), owner) : undefined
  const today = () => now().toISOString().slice(0, 10)

  async function isSpent(): Promise<boolean> {
    const sum = await days?.findById(today()).lean()
    if (!sum || sum.microDollars < dollars * MICRO) return false
    // Logged once a day, by one process.
    const silent = { _id: sum._id, isLogged: { $ne: true } }
    const logged = await days?.updateOne(silent, { $set: { isLogged: true } })
    if (logged?.matchedCount)
      log.warn({ dollars }, 'MODEL_BUDGET of today is spent: engines with a price and the text model rest')
    return true
  }

  async function add(cost: number): Promise<void> {
    const day = { _id: today() }
    const more = { $inc: { microDollars: Math.ceil(cost * MICRO) } }
    if (!days || (await days.updateOne(day, more)).matchedCount) return
    await insertOnce(days, { ...day, microDollars: 0 })
    await days.updateOne(day, more)
  }

  const payer =
    (count: (dollars: number) => void, refusal: () => Error): Pay =>
    async (expected, call, costOf) => {
      if (await isSpent()) throw refusal()
      // A call that hung or was aborted may be billed; one that the provider answered with an error is not.
      let cost = expected
      try {
        const answer = await call()
        cost = costOf?.(answer) ?? expected
        return answer
      } catch (error) {
        if (typeof (error as { status?: unknown })?.status === 'number') cost = 0
        throw error
      } finally {
        if (cost) {
          count(cost)
          await add(cost)
        }
      }
    }

  return {
    /** Returns the engine with its calls charged to the budget. */
    paying(engine: Engine): Engine {
      const { name, model, abilities } = engine
      const spent = () => new Unworkable(reason('engine_budget_used'))
      const pay = payer(cost => engineCost.inc({ engine: name, model }, cost), spent)
      return {
        ...engine,
        recognise(part, ...rest) {
          const cost = (lengthOfAll(part.pieces) / 60) * abilities.perMinute
          return engine.recognise(cost ? { ...part, pay: call => pay(cost, call) } : part, ...rest)
        },
      }
    },

    /** Charges calls to the text model; throws 429 until the day ends once the budget is spent. */
    forText: (model: string): Pay =>
      payer(
        cost => textModelCost.inc({ model }, cost),
        () => {
          const seconds = DAY_SECONDS - (Math.floor(now().getTime() / 1000) % DAY_SECONDS)
          return limitReached('model-budget', seconds, 'model_budget_spent')
        },
      ),

    async look() {
      const sum = await days?.findById(today()).lean()
      spentDollars.set((sum?.microDollars ?? 0) / MICRO)
      budgetDollars.set(dollars)
    },
  }
}
export type Budget = ReturnType<typeof createBudget>

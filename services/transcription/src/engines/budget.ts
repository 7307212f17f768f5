import { reason } from '@voxscribe/contracts/reasons'
import { type Documents, insertOnce, type Logger, schemaOf } from '@voxscribe/service'
import { z } from 'zod'
import { lengthOfAll } from '../audio/pieces.ts'
import { Unworkable } from '../failure.ts'
import { budgetDollars, spentDollars } from '../metrics.ts'
import type { Engine } from './engine.ts'

/** The cost of engines in a month, UTC. */
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
  /** Per month; undefined: without limit. */
  dollars: number | undefined
  now(): Date
  log: Logger
}

/**
 * Keeps the cost of engines within ENGINE_BUDGET, for all processes together: a part's cost is added before its call, in
 * one write that never exceeds the budget, and taken back when the call fails. A process that dies meanwhile leaves the
 * cost of its calls in the sum.
 */
export function createBudget({ documents, dollars, now, log }: Deps) {
  if (dollars === undefined) return { paying: (engine: Engine) => engine, look: async () => {} }
  const months = documents.model('engine_costs', schemaOf(Spent))
  const most = dollars * MICRO
  const today = () => now().toISOString().slice(0, 10)
  const thisMonth = () => today().slice(0, 7)

  async function pay(_id: string, cost: number): Promise<boolean> {
    const fits = { _id, microDollars: { $lte: most - cost } }
    const add = async () => (await months.updateOne(fits, { $inc: { microDollars: cost } })).matchedCount > 0
    if (await add()) return true
    // It is the month's first call, perhaps of several at once.
    await insertOnce(months, { _id, microDollars: 0 })
    return add()
  }

  /** Logs at most once a day, whichever process it is. */
  async function warn(_id: string): Promise<void> {
    const warnedOn = today()
    const { matchedCount } = await months.updateOne(
      { _id, warnedOn: { $ne: warnedOn } },
      { $set: { warnedOn } },
    )
    if (matchedCount)
      log.warn({ dollars }, 'ENGINE_BUDGET of this month is used up: paid engines are passed by')
  }

  return {
    /** Returns the engine with a cost for each part, by its published price. */
    paying: (engine: Engine): Engine => ({
      ...engine,
      async recognise(part, language, signal) {
        const cost = Math.ceil((lengthOfAll(part.pieces) / 60) * engine.takes.perMinute * MICRO)
        if (!cost) return engine.recognise(part, language, signal)
        const month = thisMonth()
        if (!(await pay(month, cost))) {
          await warn(month)
          throw new Unworkable(reason('engine_budget_used'))
        }
        return engine.recognise(part, language, signal).catch(async error => {
          await months.updateOne({ _id: month }, { $inc: { microDollars: -cost } })
          throw error
        })
      },
    }),
    /** Updates the metrics. */
    async look() {
      const spent = await months.findById(thisMonth()).lean()
      spentDollars.set((spent?.microDollars ?? 0) / MICRO)
      budgetDollars.set(dollars)
    },
  }
}
export type Budget = ReturnType<typeof createBudget>

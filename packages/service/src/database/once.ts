import { setTimeout as wait } from 'node:timers/promises'
import type { Envelope } from '@voxscribe/contracts/events'
import type { Model } from 'mongoose'
import { createHold, type Lease } from './hold.ts'

const LOOK_AGAIN_MS = 50

/**
 * Does work once per key. A lease on the key's record makes other calls wait. A crash before the record is closed
 * repeats the work.
 */
export function createOnce<T extends { _id: string; lease: Lease | null }, Open extends Partial<T>>(
  model: Model<T>,
  open: Open,
  leaseMs: number,
) {
  const hold = createHold(model, 'lease', { leaseMs })
  const isOpen = (record: T) =>
    Object.entries(open).every(([name, value]) => record[name as keyof T] === value)

  async function close(_id: string, set: Partial<T>, events: Envelope[]): Promise<void> {
    // Later, another process may take the record over.
    const end = performance.now() + leaseMs / 2
    const update = {
      $set: { ...set, lease: null },
      ...(events.length && { $push: { outbox: { $each: events } } }),
    }
    for (;;) {
      try {
        await model.updateOne({ _id, ...open } as never, update as never)
        return
      } catch (error) {
        if (performance.now() > end) throw error
        await wait(LOOK_AGAIN_MS)
      }
    }
  }

  /** `work` returns the fields that close the record, and its events. Returns the closed record. */
  return async (
    fresh: Omit<T, 'lease' | keyof Open>,
    work: (record: T) => Promise<{ set: Partial<T>; events?: Envelope[] }>,
  ): Promise<{ record: T; isRepeat: boolean }> => {
    const { _id } = fresh as unknown as T
    for (;;) {
      const held = await hold.take(_id, open as never, { ...fresh, ...open, lease: null } as never)
      if (held) {
        const record = held.claimed as T
        const { set, events = [] } = await work(record).catch(async error => {
          await held.release()
          throw error
        })
        await close(_id, set, events).finally(held.end)
        return { record: { ...record, ...set }, isRepeat: false }
      }
      const other = await model.findById(_id).lean<T>()
      if (other && !isOpen(other)) return { record: other, isRepeat: true }
      await wait(LOOK_AGAIN_MS)
    }
  }
}

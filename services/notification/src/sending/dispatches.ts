import { setTimeout as wait } from 'node:timers/promises'
import { derivedId } from '@voxscribe/contracts/events'
import { MESSAGE_RECORD_DAYS } from '@voxscribe/contracts/limits'
import { createHold, type Documents, deleteAll, type Held, type Lease, schemaOf } from '@voxscribe/service'
import { z } from 'zod'
import type { Dispatch } from '../chat/chat.ts'

/** A message that is being sent, was sent, or was refused for good. */
const DispatchRecord = z.object({
  /** The cause of the message, its kind and its part. */
  _id: z.string(),
  outcome: z.enum(['sending', 'sent', 'refused']),
  /** The process that is sending it; null: none is. */
  lease: z.custom<Lease>().nullable(),
  /** The provider's id of the message, or why it was refused. */
  detail: z.string(),
  /** A hash of the address. */
  to: z.string().optional(),
  at: z.date(),
})
type DispatchRecord = z.infer<typeof DispatchRecord>

const LOOK_AGAIN_MS = 50
/** Dead letters older than this are not put back. */
const KEPT_SECONDS = MESSAGE_RECORD_DAYS * 24 * 3600

const dispatchSchema = schemaOf(DispatchRecord)
  .index({ at: 1 }, { expireAfterSeconds: KEPT_SECONDS })
  .index({ detail: 1 })
  .index({ to: 1 }, { sparse: true })

const hashOf = (address: string) => derivedId('address', address)

/** Records the messages that go out, so that each is sent once. `leaseMs`: how long a dead process keeps others waiting. */
export function createDispatches(documents: Documents, leaseMs: number) {
  const dispatches = documents.model<DispatchRecord>('dispatches', dispatchSchema, {
    owner: null,
    because: 'found by a hash of the address, while it is known',
  })
  const hold = createHold(dispatches, 'lease', { lastsMs: leaseMs })

  /** Holds the message, or returns its record when it is done. Waits while another process is sending it. */
  async function claimed(_id: string, to: string): Promise<Held<unknown> | DispatchRecord> {
    for (;;) {
      const sending = { outcome: 'sending' as const, detail: '', to, at: new Date(), lease: null }
      const held = await hold.take(_id, { outcome: 'sending' }, sending)
      if (held) return held
      const other = await dispatches.findById(_id).lean<DispatchRecord>()
      if (other && other.outcome !== 'sending') return other
      await wait(LOOK_AGAIN_MS)
    }
  }

  async function record(
    _id: string,
    became: Pick<DispatchRecord, 'outcome' | 'detail' | 'at'>,
  ): Promise<void> {
    // After that another process may take it over.
    const end = performance.now() + leaseMs / 2
    for (;;) {
      try {
        await dispatches.updateOne({ _id }, { $set: { ...became, lease: null } })
        return
      } catch (error) {
        if (performance.now() > end) throw error
        await wait(LOOK_AGAIN_MS)
      }
    }
  }

  return {
    /** The key of a message that was sent, by the provider's id of it. */
    keyOf: async (providerId: string): Promise<string | undefined> =>
      (await dispatches.findOne({ detail: providerId, outcome: 'sent' }).lean<DispatchRecord>())?._id,

    /** Forgets what went to these addresses before a time. */
    forgetTo: (addresses: string[], before: Date) =>
      deleteAll(dispatches, { to: { $in: addresses.map(hashOf) }, at: { $lt: before } }),

    /**
     * Sends once for each key, whatever is redelivered, one after another or at once. No provider takes an idempotency
     * key: a crash between its "accepted" and our record sends the message again, so nothing else happens in between,
     * and a record that fails is tried again.
     * A repeat gets the recorded outcome, marked as repeated.
     */
    once: async (
      key: string,
      address: string,
      send: () => Promise<Dispatch>,
    ): Promise<Dispatch & { repeated?: true }> => {
      const held = await claimed(key, hashOf(address))
      if ('outcome' in held) {
        const { outcome, detail } = held
        return outcome === 'sent'
          ? { outcome, id: detail, repeated: true }
          : { outcome: 'refused', code: detail.split(' ', 1)[0] ?? '', message: detail, repeated: true }
      }
      const dispatch = await send().catch(async error => {
        await held.release()
        throw error
      })
      const detail = dispatch.outcome === 'sent' ? dispatch.id : `${dispatch.code} ${dispatch.message}`
      await record(key, { outcome: dispatch.outcome, detail, at: new Date() }).finally(held.end)
      return dispatch
    },
  }
}
export type Dispatches = ReturnType<typeof createDispatches>

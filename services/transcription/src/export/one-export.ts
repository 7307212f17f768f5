import { type Documents, type Held, type Lease, refusedFor, schemaOf } from '@voxscribe/service'
import { z } from 'zod'

const RETRY_AFTER_SECONDS = 10
const exportSchema = schemaOf(z.object({ _id: z.string(), lease: z.custom<Lease | null>() })).index(
  { 'lease.owner': 1 },
  { sparse: true },
)

/** A running export: `signal` aborts it, `release` lets the person begin the next one. */
export type Export = Pick<Held<unknown>, 'signal'> & { release(): Promise<unknown> }

/** Product limit: one export per person at a time, over all processes. */
export function createOneExport(documents: Documents, leaseMs: number) {
  const exports = documents.model('exports', exportSchema, { owner: '_id' })
  const hold = documents.hold(exports, 'lease', { leaseMs })
  return {
    /** Throws 429 while another export of the person is running. */
    async begin(userId: string): Promise<Export> {
      const begun = await hold.take(userId, {}, { lease: null })
      if (!begun) throw refusedFor(RETRY_AFTER_SECONDS, 'export_under_way')
      return begun
    },
    /** Aborts a person's export; in another process its lease is lost with its document. */
    end: (userId: string): void => hold.drop(userId),
  }
}
export type OneExport = ReturnType<typeof createOneExport>['begin']

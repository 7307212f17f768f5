import { randomUUID } from 'node:crypto'
import { type Documents, schemaOf } from '@voxscribe/service'
import { z } from 'zod'

/** A request to reset the password of an address, whether or not it has an account. */
const ResetRequest = z.object({
  _id: z.string(),
  email: z.string(),
  at: z.date(),
  traceId: z.string().optional(),
})
export type ResetRequest = z.infer<typeof ResetRequest>

const resetRequestSchema = schemaOf(ResetRequest).index({ at: 1 })

/** Stores requests for all addresses alike for a later job, so that no response or timing reveals an account. */
export function createResetRequests(documents: Documents) {
  const requests = documents.model<ResetRequest>('reset_requests', resetRequestSchema, {
    owner: null,
    because: 'asked for by an address, deleted while the addresses of the account are known',
  })
  return {
    add: async (request: Omit<ResetRequest, '_id'>): Promise<void> => {
      await requests.create({ _id: randomUUID(), ...request })
    },
    waiting: (limit: number) => requests.find().sort({ at: 1 }).limit(limit).lean<ResetRequest[]>(),
    removeOf: async (email: string): Promise<void> => {
      await requests.deleteMany({ email })
    },
    remove: async (id: string): Promise<void> => {
      await requests.deleteOne({ _id: id })
    },
  }
}

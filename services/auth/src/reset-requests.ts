import { randomUUID } from 'node:crypto'
import type { Documents } from '@voxscribe/service'
import { Schema } from 'mongoose'

/** Someone asked to reset the password of an address, known or not. */
export interface ResetRequest {
  _id: string
  email: string
  at: Date
  traceId?: string | undefined
}

const resetRequestSchema = new Schema<ResetRequest>(
  { _id: String, email: String, at: Date, traceId: String },
  { versionKey: false },
).index({ at: 1 })

/**
 * A request is written down in the same way for every address and looked into after the answer, so that neither
 * the answer nor its time tells whether there is an account.
 */
export function createResetRequests(documents: Documents) {
  const Requests = documents.model<ResetRequest>('reset_requests', resetRequestSchema)
  return {
    add: async (request: Omit<ResetRequest, '_id'>): Promise<void> => {
      await Requests.create({ _id: randomUUID(), ...request })
    },
    waiting: (limit: number) => Requests.find().sort({ at: 1 }).limit(limit).lean<ResetRequest[]>(),
    remove: async (id: string): Promise<void> => {
      await Requests.deleteOne({ _id: id })
    },
  }
}
export type ResetRequests = ReturnType<typeof createResetRequests>

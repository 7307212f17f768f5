import { z } from 'zod'
import { TranscriptionStatus } from './answers.ts'

const TranscriptionChange = z.object({
  id: z.string(),
  status: z.enum([...TranscriptionStatus.options, 'deleted']),
  /** The work in progress; null when there is none. */
  stage: z.string().nullable(),
  /** The share that has been recognised, 0 to 1. */
  progress: z.number(),
})
export type TranscriptionChange = z.infer<typeof TranscriptionChange>

/** A change that a person's open pages are sent: the name and data of an event of their stream. */
export const LiveChange = z.discriminatedUnion('event', [
  z.object({ event: z.literal('transcription'), data: TranscriptionChange }),
  /** The account; access tokens of it may have ended. */
  z.object({ event: z.literal('profile'), data: z.object({}) }),
])
export type LiveChange = z.infer<typeof LiveChange>

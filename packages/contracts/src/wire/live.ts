import { z } from 'zod'
import { TranscriptionStatus } from './answers.ts'

const TranscriptionChange = z.object({
  id: z.string(),
  status: z.enum([...TranscriptionStatus.options, 'deleted']),
  /** Current work; null if there is none. */
  stage: z.string().nullable(),
  /** Share that has been recognized, 0 to 1. */
  progress: z.number(),
})
export type TranscriptionChange = z.infer<typeof TranscriptionChange>

/** A change sent to a person's open pages: the name and data of an event of their stream. */
export const LiveChange = z.discriminatedUnion('event', [
  z.object({ event: z.literal('transcription'), data: TranscriptionChange }),
  /** The account changed; its access tokens may have ended. */
  z.object({ event: z.literal('profile'), data: z.object({}) }),
])
export type LiveChange = z.infer<typeof LiveChange>

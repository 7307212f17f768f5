import type { EventOf } from '@voxscribe/contracts/events'
import { api } from '@voxscribe/contracts/http'
import type { Logger } from '@voxscribe/service'
import axios from 'axios'

/** Without its answer the note is listed when the event comes. */
const PATIENCE_MS = 3_000

/** Has transcription list a note now, from the event that it gets by the bus as well. Never throws. */
export const createListing =
  (transcriptionUrl: string, log: Logger) =>
  async (event: EventOf<'MediaReceived'>): Promise<void> => {
    const options = { timeout: PATIENCE_MS, signal: AbortSignal.timeout(PATIENCE_MS), proxy: false as const }
    await axios
      .post(`${transcriptionUrl}${api.noteReceived.path}`, event, options)
      .catch(({ message }) => log.warn({ message }, 'an upload is listed later, as transcription is away'))
  }

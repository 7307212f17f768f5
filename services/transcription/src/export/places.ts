import { refusedFor } from '@voxscribe/service'
import { CORES } from '@voxscribe/speech'
import PQueue from 'p-queue'

const WAITING_MAX = 20
const RETRY_AFTER_SECONDS = 10

/** Programs that make files for people have separate places, so that notes never wait for them. */
const places = new PQueue({ concurrency: CORES })

interface Waiting {
  signal: AbortSignal
  waitsForPlace?: boolean
}

/** Runs a program that makes a file once a core is free. Throws 503 while 20 wait, unless it `waitsForPlace`. */
export function inPlace<T>(work: () => Promise<T>, { signal, waitsForPlace = false }: Waiting): Promise<T> {
  if (!waitsForPlace && places.size >= WAITING_MAX) throw refusedFor(RETRY_AFTER_SECONDS, 'overloaded')
  return places.add(work, { signal })
}

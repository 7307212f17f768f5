import { within } from '../within.ts'

/** Returns the broker's answer, or throws when it takes longer than `waitMs`: amqplib waits without limit. */
export function answered<T>(waitMs: number, call: Promise<T>): Promise<T> {
  return within(waitMs, call, () => {
    throw new Error('The broker did not answer in time')
  })
}

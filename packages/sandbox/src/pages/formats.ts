/** `$4.99` from integers of the smallest unit. */
export const money = (cents: number | null | undefined, currency: string | null | undefined) =>
  new Intl.NumberFormat('en', { style: 'currency', currency: currency ?? 'usd' }).format((cents ?? 0) / 100)

/** A day from unix seconds, UTC. */
export const day = (seconds: number | null | undefined) =>
  seconds
    ? new Date(seconds * 1000).toLocaleDateString('en', {
        day: 'numeric',
        month: 'short',
        year: 'numeric',
        timeZone: 'UTC',
      })
    : '–'

/** Day and time from milliseconds since 1970, UTC. */
export const moment = (ms: number) => `${new Date(ms).toISOString().slice(0, 19).replace('T', ' ')} UTC`

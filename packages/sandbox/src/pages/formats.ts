/** `$4.99` from integers of the smallest unit. */
export const money = (cents: number, currency: string) =>
  new Intl.NumberFormat('en', { style: 'currency', currency }).format(cents / 100)

/** A day from unix seconds, UTC. */
export const day = (seconds: number) =>
  new Date(seconds * 1000).toLocaleDateString('en', { dateStyle: 'medium', timeZone: 'UTC' })

/** Day and time from milliseconds since 1970, UTC. */
export const moment = (ms: number) => `${new Date(ms).toISOString().slice(0, 19).replace('T', ' ')} UTC`

/** Seconds as `1h 2m 3s`; what is shorter than a second counts as one. */
export function lengthOf(seconds: number): string {
  const whole = Math.max(1, Math.round(seconds))
  const parts = [
    [Math.floor(whole / 3600), 'h'],
    [Math.floor(whole / 60) % 60, 'm'],
    [whole % 60, 's'],
  ] as const
  return parts
    .filter(([amount]) => amount > 0)
    .map(([amount, unit]) => `${amount}${unit}`)
    .join(' ')
}

/** Minutes to one decimal, never below 0 and never more than there are. */
export const minutesOf = (seconds: number): string => String(Math.max(0, Math.floor(seconds / 6) / 10))

/** `20 November 2026`, in UTC. */
export const dateOf = (iso: string): string =>
  new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(iso))

const two = (value: number) => String(value).padStart(2, '0')

/** `0:07`, `12:30`, `1:02:03` from seconds. */
export function clock(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds))
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60]
  return hours ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`
}

/** `7 seconds`, `12 minutes 30 seconds`, for screen readers. */
export function spokenTime(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds))
  const parts = [
    [Math.floor(whole / 3600), 'hour'],
    [Math.floor(whole / 60) % 60, 'minute'],
    [whole % 60, 'second'],
  ] as const
  const said = parts
    .filter(([amount]) => amount)
    .map(([amount, unit]) => `${amount} ${unit}${amount === 1 ? '' : 's'}`)
  return said.join(' ') || '0 seconds'
}

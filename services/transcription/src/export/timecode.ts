/** `01:02:03,456` */
export function timecode(seconds: number, decimal: ',' | '.'): string {
  const ms = Math.round(seconds * 1000)
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0')
  const clock = `${two(ms / 3_600_000)}:${two((ms / 60_000) % 60)}:${two((ms / 1000) % 60)}`
  return `${clock}${decimal}${String(ms % 1000).padStart(3, '0')}`
}

/** `01:02:03` */
export const longClock = (seconds: number) => timecode(Math.floor(seconds), '.').slice(0, 8)

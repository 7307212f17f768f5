import type { Gist } from '@voxscribe/contracts/http'

type Task = Pick<Gist['tasks'][number], 'text' | 'due'>

/** Bytes per line (RFC 5545, 3.1). */
const LINE_BYTES = 75
const DAY_MS = 86_400_000

const bytesOf = (text: string) => new TextEncoder().encode(text).length
const escaped = (text: string) => text.replace(/[\\;,]/g, '\\$&').replace(/\r\n?|\n/g, '\\n')
const compact = (iso: string) => iso.replace(/[-:]|\.\d+/g, '')

/** Folds a long line, never within a character; continuation lines begin with a space. */
function folded(line: string): string {
  let bytes = 0
  let cut = ''
  for (const character of line) {
    const size = bytesOf(character)
    if (bytes + size > LINE_BYTES) {
      cut += '\r\n '
      bytes = 1
    }
    cut += character
    bytes += size
  }
  return cut
}

/** Writes the tasks that have a due day as a calendar file (RFC 5545), each as an all-day event. */
export function calendarOf(noteId: string, tasks: readonly Task[], madeAt: string): string {
  const events = tasks.flatMap(({ text, due }, index) => {
    if (!due) return []
    const next = new Date(Date.parse(due) + DAY_MS).toISOString().slice(0, 10)
    return [
      'BEGIN:VEVENT',
      `UID:${noteId}-${index + 1}@voxscribe`,
      `DTSTAMP:${compact(madeAt)}`,
      `DTSTART;VALUE=DATE:${compact(due)}`,
      `DTEND;VALUE=DATE:${compact(next)}`,
      `SUMMARY:${escaped(text)}`,
      'TRANSP:TRANSPARENT',
      'END:VEVENT',
    ]
  })
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Voxscribe//Tasks//EN',
    ...events,
    'END:VCALENDAR',
  ]
  return `${lines.map(folded).join('\r\n')}\r\n`
}

import { calendarOf } from './calendar.ts'

const AT = '2026-11-20T14:05:00.000Z'

test('when tasks have days, then each is an event of that day, and the others are left out', () => {
  const tasks = [
    { text: 'Buy milk; bread, \\ and\nsalt\rthen\r\ngo', due: '2026-12-31' },
    { text: 'Some day', due: null },
  ]
  expect(calendarOf('note-1', tasks, AT).split('\r\n')).toEqual([
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Voxscribe//Tasks//EN',
    'BEGIN:VEVENT',
    'UID:note-1-1@voxscribe',
    'DTSTAMP:20261120T140500Z',
    'DTSTART;VALUE=DATE:20261231',
    'DTEND;VALUE=DATE:20270101',
    'SUMMARY:Buy milk\\; bread\\, \\\\ and\\nsalt\\nthen\\ngo',
    'TRANSP:TRANSPARENT',
    'END:VEVENT',
    'END:VCALENDAR',
    '',
  ])
})

test('when a text is long, in any script, then no line has more than 75 bytes and no character is cut', () => {
  const text = 'اشترِ الحليب ซื้อนม 🥛 buy milk '.repeat(10).trim()
  const lines = calendarOf('note-1', [{ text, due: '2026-12-31' }], AT).split('\r\n')
  for (const line of lines) expect(new TextEncoder().encode(line).length).toBeLessThanOrEqual(75)
  expect(lines.join('\n').replaceAll('\n ', '')).toContain(`SUMMARY:${text}`)
})

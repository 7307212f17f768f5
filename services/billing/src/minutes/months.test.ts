import { monthAround, monthsAfter } from './months.ts'

const at = (text: string) => new Date(text)

describe('months', () => {
  test.each([
    ['2026-01-15T08:30:00Z', 1, '2026-02-15T08:30:00Z'],
    ['2026-01-31T08:30:00Z', 1, '2026-02-28T08:30:00Z'],
    ['2028-01-31T00:00:00Z', 1, '2028-02-29T00:00:00Z'],
    ['2026-01-31T08:30:00Z', 2, '2026-03-31T08:30:00Z'],
    ['2026-10-31T23:59:59Z', 4, '2027-02-28T23:59:59Z'],
  ])('when the anchor is %s, then %i months later is %s', (anchor, count, expected) => {
    expect(monthsAfter(at(anchor), count)).toEqual(at(expected))
  })

  test.each([
    ['at the anchor itself', '2026-01-31T10:00:00Z', '2026-01-31T10:00:00Z', '2026-01-31T10:00:00Z'],
    ['before a short month is over', '2026-01-31T10:00:00Z', '2026-02-28T09:59:59Z', '2026-01-31T10:00:00Z'],
    ['when a short month is over', '2026-01-31T10:00:00Z', '2026-02-28T10:00:00Z', '2026-02-28T10:00:00Z'],
    ['after years of silence', '2024-02-29T10:00:00Z', '2026-11-21T00:00:00Z', '2026-10-29T10:00:00Z'],
    ['before the anchor', '2026-05-05T00:00:00Z', '2026-05-04T23:59:59Z', '2026-05-05T00:00:00Z'],
  ])('when asked %s, then the month around that moment is found', (_when, anchor, now, start) => {
    expect(monthAround(at(anchor), at(now)).start).toEqual(at(start))
  })
})

import { dateOf } from './phrases.ts'

test('when a period ends, then the date is the one in UTC', () => {
  expect(dateOf('2026-11-20T23:30:00Z')).toBe('20 November 2026')
})

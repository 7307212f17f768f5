import { english, inTimeZone } from '@voxscribe/languages'
import { i18nFor } from '@voxscribe/languages/node'
import { audioLength, dateOf, minutesOf, momentOf, percentOf, quantity } from './wording.ts'

test.each([
  [0, '0s'],
  [0.2, '1s'],
  [6.05, '6s'],
  [59.6, '1m'],
  [61, '1m 1s'],
  [3600, '1h'],
  [3723, '1h 2m 3s'],
])('when a note lasts %d seconds, then its length reads "%s"', (seconds, text) => {
  expect(audioLength(english, seconds)).toBe(text)
})

test('when a length is read in Hindi, then its unit is no other word', () => {
  expect(audioLength(i18nFor('hi'), 6)).toBe('6 से॰')
  expect(audioLength(i18nFor('hi'), 0)).toBe('0 से॰')
})

test.each([
  [1800, 30],
  [1793.95, 29.9],
  [2.9, 0],
  [3, 0.1],
  [-5, 0],
])('when there are %d seconds, then that is %d minutes', (seconds, minutes) => {
  expect(minutesOf(seconds)).toBe(minutes)
})

test.each([
  ['en', '16 MB', '80%'],
  ['es', '16 MB', '80 %'],
  ['es-MX', '16 MB', '80%'],
  ['fr', '16 Mo', '80 %'],
  ['ar-EG', '١٦ م.ب', '٨٠٪؜'],
])('when a size or a share is shown in %s, then Intl writes its unit', (locale, size, share) => {
  const plain = (text: string) => text.replace(/\s/g, ' ')
  expect(plain(quantity({ ...english, locale }, 16, 'megabyte'))).toBe(size)
  expect(plain(percentOf({ ...english, locale }, 0.8))).toBe(share)
})

test('when a period ends, then the date is the one where the reader is, in UTC while that is unknown', () => {
  const at = '2026-11-20T23:30:00Z'
  expect(dateOf(english, at)).toBe('November 20, 2026')
  expect(dateOf(inTimeZone(english, 'Asia/Tokyo'), at)).toBe('November 21, 2026')
  expect(dateOf(inTimeZone(english, 'America/New_York'), '2026-11-20')).toBe('November 20, 2026')
  expect(momentOf(inTimeZone(english, 'Asia/Tokyo'), at)).toMatch(/^November 21, 2026 at 8:30\sAM$/)
})

import { day, figure, fileSize, megabytes, money } from './figures.ts'

describe('when figures are shown', () => {
  test.each([
    [27.55, '27.6'],
    [1000, '1,000'],
    [0, '0'],
  ])('then %s reads %s', (value, text) => expect(figure(value)).toBe(text))
  test.each([
    [4.99, 'usd', '$4.99'],
    [4.99, 'eur', '€4.99'],
  ])('then %s in "%s" reads %s', (amount, currency, text) => expect(money(amount, currency)).toBe(text))
  test('then bytes read in MB, and small files in kB', () => {
    expect(megabytes(16 * 1024 * 1024)).toBe('16.00 MB')
    expect(fileSize(48_211)).toBe('48 kB')
    expect(fileSize(1_600_000)).toBe('1.53 MB')
  })
  test('then a day reads as a day, and what is none as a dash', () => {
    expect(day('2026-12-20T12:00:00.000Z')).toBe('Dec 20, 2026')
    expect(day('')).toBe('–')
  })
})

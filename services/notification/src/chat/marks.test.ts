import { shielded } from './marks.ts'

const visible = (text: string) => text.replaceAll('\u200D', '+')

test.each([
  ['*hello*', '*+hello+*'],
  ['say *this is* bold, _too_', 'say *+this is+* bold, _+too+_'],
  ['~no~ `code`', '~+no+~ `+code+`'],
  ['```two\nlines```', '```+two\nlines+```'],
  ['“*quoted*”', '“*+quoted+*”'],
  ['*a *b*', '*+a *+b+*'],
  ['*one* and *two*', '*+one+* and *+two+*'],
  ['(_a_b_)', '(_+a_b+_)'],
])('when the marks of %s would pair, then they are shielded', (said, sent) => {
  expect(visible(shielded(said))).toBe(sent)
  expect(shielded(said).replaceAll('\u200D', '')).toBe(said)
})

test.each([
  'plain words',
  '2 * 3 * 4',
  '2*3*4',
  'snake_case_name',
  'a* and b',
  '*open\nclosed*',
  '**',
  '___',
  '* item\n* item',
  '5 ~ 6',
  '*',
  '',
])('when those of %j would not, then it stays as it is', said => {
  expect(shielded(said)).toBe(said)
})

test.each([
  ['marks that open', '*a '.repeat(330_000)],
  ['marks alone', '*'.repeat(1_000_000)],
  ['pairs', '*a* '.repeat(250_000)],
])('when a text of 1 MB is %s, then it costs as much as it is long', (_what, said) => {
  const processorMs = (text: string) => {
    const before = process.threadCpuUsage()
    shielded(text)
    return process.threadCpuUsage(before).user / 1000
  }
  expect(processorMs(said)).toBeLessThan(30 * (processorMs(said.slice(0, said.length / 10)) + 10))
})

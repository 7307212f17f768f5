import { writtenIn } from './corrections.ts'

test.each([
  ['I met Norah.', 'I met Nora!', ['Nora']],
  ['The ai o ti and norah are here', 'The IoT and Nora are here', ['IoT', 'Nora']],
  ['وصلت 🙏 نوره', 'وصلت 🙏 نورة', ['نورة']],
  ['ฉันไปภูเก็ต', 'ฉันไปเชียงใหม่', ['เชียงใหม่']],
  ['我在北京工作', '我在上海工作', ['上海']],
  ['norah is here', 'Norah is here.', []],
  ['I met Nora', 'I met Nora Klein', ['Klein']],
  ['I met er Nora', 'I met Nora', []],
])('when %j becomes %j, then the person has written %j', (before, after, written) => {
  expect(writtenIn(before, after).map(({ from, to }) => after.slice(from, to))).toEqual(written)
})

test('when one word of a long passage is corrected, then it is found; of a rewritten one all is written', () => {
  const long = 'word '.repeat(1_800)
  const after = `${long}Nora ${long}`
  expect(writtenIn(`${long}Norah ${long}`, after)).toEqual([{ from: 9_000, to: 9_004 }])
  const rewritten = `Nora ${'other '.repeat(1_800)}`
  expect(writtenIn(`Norah ${long}`, rewritten)).toEqual([{ from: 0, to: rewritten.length }])
})

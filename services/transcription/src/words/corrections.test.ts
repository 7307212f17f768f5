import { correctionsIn } from './corrections.ts'

test.each([
  ['I met Norah.', 'I met Nora!', [['Norah', 'Nora']]],
  [
    'The ai o ti and norah are here',
    'The IoT and Nora are here',
    [
      ['ai o ti', 'IoT'],
      ['norah', 'Nora'],
    ],
  ],
  ['قابلت نوره اليوم', 'قابلت نورة اليوم', [['نوره', 'نورة']]],
  ['وصلت 🙏 نوره', 'وصلت 🙏 نورة', [['نوره', 'نورة']]],
  ['ฉันไปภูเก็ต', 'ฉันไปเชียงใหม่', [['ภูเก็ต', 'เชียงใหม่']]],
  ['我在北京工作', '我在上海工作', [['北京', '上海']]],
  // Neither names nor terms: case, punctuation, single letters, added, removed and reworded passages.
  ['norah is here', 'Norah is here.', []],
  ['a name', 'the name', []],
  ['I met Nora', 'I met Nora Klein', []],
  ['I met er Nora', 'I met Nora', []],
  ['one two three four', 'five six seven eight', []],
  ['I met Norah', '', []],
  ['I met Norah', 'I met <Nora>', [['Norah', 'Nora']]],
  [`I met ${'x'.repeat(61)}`, 'I met Nora', []],
])('when %j becomes %j, then the corrections are %j', (before, after, pairs) => {
  expect(correctionsIn(before, after).map(({ heard, write }) => [heard, write])).toEqual(pairs)
})

test('when one word of a long passage is corrected, then it is found; a rewritten passage has none', () => {
  const long = 'word '.repeat(1_800)
  expect(correctionsIn(`${long}Norah ${long}`, `${long}Nora ${long}`)).toEqual([
    { heard: 'Norah', write: 'Nora' },
  ])
  expect(correctionsIn(`Norah ${long}`, `Nora ${'other '.repeat(1_800)}`)).toEqual([])
})

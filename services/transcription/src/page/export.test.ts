import { fieldsFor } from './export.ts'

test('when only the words are exported, then the segments are not read', () => {
  expect(fieldsFor('txt', false)).not.toHaveProperty('segments')
  expect(fieldsFor('txt', true)).toHaveProperty('segments')
  expect(fieldsFor('json', false)).toHaveProperty('segments')
})

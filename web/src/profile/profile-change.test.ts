import { ada } from '../testing/people.ts'
import { changesIn, ProfileValues, valuesOf } from './profile-change.ts'

describe('when a profile is saved', () => {
  const saved = valuesOf(ada)
  test.each([
    ['nothing was changed', {}, {}],
    ['a name was', { first_name: 'Grace' }, { first_name: 'Grace' }],
    ['only spaces were added', { first_name: '  Ada ' }, {}],
    ['a name was emptied', { first_name: '', last_name: '   ' }, {}],
    ['spaces surround a change', { email: ' new@example.org ' }, { email: 'new@example.org' }],
    [
      'number, country and language were',
      { wtp_number: '1512345678', country_code: '276', wa_language: 'de' },
      { wtp_number: '1512345678', country_code: '276', wa_language: 'de' },
    ],
  ])('and %s, then what is sent follows', (_, typed, sent) => {
    expect(changesIn(saved, ProfileValues.parse({ ...saved, ...typed }))).toEqual(sent)
  })
})

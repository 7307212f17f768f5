import { addressOf, viewIn } from './history-address.ts'

describe('when a history address is read', () => {
  test.each([
    ['', { search: '', status: 'all', page: 1 }],
    ['page=3&status=failed&search=two+words', { search: 'two words', status: 'failed', page: 3 }],
    ['page=0', { search: '', status: 'all', page: 1 }],
    ['page=-2&status=nonsense', { search: '', status: 'all', page: 1 }],
    ['page=1.5', { search: '', status: 'all', page: 1 }],
    ['page=abc', { search: '', status: 'all', page: 1 }],
  ])('then "%s" makes sense or counts as not there', (address, view) => {
    expect(viewIn(new URLSearchParams(address))).toEqual(view)
  })
  test('and written, then it is as short as can be and reads back the same', () => {
    expect(addressOf({ search: '', status: 'all', page: 1 }).toString()).toBe('')
    const view = { search: 'a&b=c', status: 'completed', page: 2 } as const
    expect(viewIn(addressOf(view))).toEqual(view)
  })
})

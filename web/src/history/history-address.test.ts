import { addressOf, queryOf, viewIn } from './history-view.ts'

const all = viewIn(new URLSearchParams())

describe('when a history address is read', () => {
  test.each([
    ['', {}],
    ['page=3&status=failed&search=two+words', { search: 'two words', status: 'failed', page: 3 }],
    [
      'language=es&source=web&from=2026-11-01&to=2026-11-20',
      { language: 'es', source: 'web', from: '2026-11-01', to: '2026-11-20' },
    ],
    ['page=0', {}],
    ['page=-2&status=nonsense', {}],
    ['page=1.5', {}],
    ['page=abc', {}],
    ['language=klingon&source=pigeon', {}],
    ['from=yesterday&to=2026-02-31', {}],
    ['from=2026-11-20&to=2026-11-01', { from: '2026-11-20' }],
  ])('then "%s" makes sense or counts as not there', (address, view) => {
    expect(viewIn(new URLSearchParams(address))).toEqual({ ...all, ...view })
  })

  test('and written, then it is as short as can be and reads back the same', () => {
    expect(addressOf(all).toString()).toBe('')
    const view = { ...all, search: 'a&b=c', status: 'completed', to: '2026-11-20', page: 2 } as const
    expect(viewIn(addressOf(view, 2))).toEqual(view)
  })

  test('then a question of 500 letters stays whole, and is searched by its beginning', () => {
    const question = 'What did Ana say? '.repeat(28).slice(0, 500)
    const view = viewIn(new URLSearchParams({ search: question }))
    expect(view.search).toBe(question)
    expect(queryOf(view).search).toBe(question.slice(0, 200))
  })

  test('then only what is set is a filter', () => {
    const view = { ...all, search: 'x', status: 'failed', source: 'web', language: 'es' } as const
    expect(queryOf(view)).toEqual({ page: 1, search: 'x', status: 'failed', source: 'web', language: 'es' })
    expect(queryOf(all)).toEqual({ page: 1 })
  })

  test('then the server is asked for whole days where the person is', () => {
    const { from, to } = queryOf({ ...all, from: '2026-11-19', to: '2026-11-20' })
    expect(from).toBe(new Date(2026, 10, 19).toISOString())
    expect(to).toBe(new Date(new Date(2026, 10, 21).getTime() - 1).toISOString())
  })
})

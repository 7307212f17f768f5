import { api, type EndpointShape } from '@voxscribe/contracts/http'
import { z } from 'zod'
import { Problem } from './problem.ts'
import { checked } from './routes.ts'

function errorsOf(schema: z.ZodType, value: unknown) {
  try {
    checked(schema, value)
    return []
  } catch (error) {
    if (error instanceof Problem) return error.errors ?? []
    throw error
  }
}

test('when a schema has no sentence for what is wrong, then it is said in plain words', () => {
  const schema = z.object({
    name: z.string().min(1).max(3),
    size: z.number().min(1).max(9),
    kind: z.enum(['a', 'b', 'c']),
    list: z.array(z.object({ on: z.literal(true) })).max(1),
    id: z.uuid(),
    own: z.string('own is ours').optional(),
  })
  const wrong = { name: '', size: 0, kind: 'x', list: [{ on: 1 }], id: 'x', own: 7 }
  expect(errorsOf(schema, wrong)).toEqual([
    { field: 'name', message: 'name is required' },
    { field: 'size', message: 'size must be at least 1' },
    { field: 'kind', message: 'kind must be a, b or c' },
    { field: 'list.0.on', message: 'list.0.on must be true' },
    { field: 'id', message: 'id is not valid' },
    { field: 'own', message: 'own is ours' },
  ])
  expect(errorsOf(schema, { ...wrong, list: [{ on: true }, { on: true }] })).toContainEqual({
    field: 'list',
    message: 'list may have at most 1',
  })
  expect(errorsOf(schema, { name: 'long', size: '1', list: 'x', id: null })).toEqual([
    { field: 'name', message: 'name is too long' },
    { field: 'size', message: 'size must be a number' },
    { field: 'kind', message: 'kind must be a, b or c' },
    { field: 'list', message: 'list must be a list' },
    { field: 'id', message: 'id must be a text' },
  ])
})

const LONG = 'x'.repeat(100_000)
const VALUES = [
  undefined,
  null,
  5,
  -1,
  1.5,
  Number.NaN,
  true,
  '',
  LONG,
  [],
  {},
  [null],
  [[]],
  [{}],
  [LONG],
  ['x'],
]
/** Words of the zod library. */
const FOREIGN = /Invalid (input|option|key)|expected|received|Too (big|small)|Unrecognized/

test('when a call gets something wrong in any field, then the answer is in our words', () => {
  const said = Object.entries<EndpointShape>(api).flatMap(([name, { body, query }]) =>
    [body, query].flatMap(schema => {
      if (!schema) return []
      const { properties = {} } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
      return Object.keys(properties).flatMap(field =>
        VALUES.flatMap(value =>
          errorsOf(schema, { [field]: value }).map(({ message }) => `${name}: ${message}`),
        ),
      )
    }),
  )
  expect(said.length).toBeGreaterThan(1_000)
  expect([...new Set(said)].filter(sentence => FOREIGN.test(sentence))).toEqual([])
})

test('when a field of a call has another type, then the answer does not say that it is missing', () => {
  const missing = Object.entries<EndpointShape>(api).flatMap(([name, { body, query }]) =>
    [body, query].flatMap(schema => {
      if (!schema) return []
      const { properties = {} } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
      return Object.keys(properties).flatMap(field =>
        errorsOf(schema, { [field]: true })
          .filter(each => each.field === field && each.message.endsWith('is required'))
          .map(({ message }) => `${name}: ${message}`),
      )
    }),
  )
  expect(missing).toEqual([])
})

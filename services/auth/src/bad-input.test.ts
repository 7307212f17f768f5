import { authForAll } from './testing.ts'

const auth = authForAll()

const calls = [
  '/auth/register',
  '/auth/login',
  '/auth/logout',
  '/auth/refresh',
  '/auth/forgot-password',
  '/auth/reset-password',
]

const raw = (
  path: string,
  body: string,
  headers: Record<string, string> = { 'content-type': 'application/json' },
) => fetch(`${auth.url}/api${path}`, { method: 'POST', body, headers })

describe.each(calls)('%s', path => {
  test.each([
    ['malformed JSON', '{"email": '],
    ['an array', '[]'],
    ['null', 'null'],
    ['a text', '"text"'],
    ['a number', '7'],
    ['nothing', '{}'],
    ['prototype keys', '{"__proto__":{"email":"a@example.com"},"constructor":"x"}'],
    [
      'operators',
      '{"email":{"$gt":""},"password":{"$ne":null},"refreshToken":{"$gt":""},"token":{"$gt":""}}',
    ],
    ['arrays', '{"email":["a@example.com"],"password":["x"],"refreshToken":["x"],"token":["x"]}'],
    ['nulls', '{"email":null,"password":null,"refreshToken":null,"token":null}'],
    ['a zero byte', '{"email":"a\\u0000@example.com","token":1,"refreshToken":1}'],
  ])('when it gets %s, then 400', async (_what, body) => {
    const response = await raw(path, body)
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({
      success: false,
      message: expect.any(String),
      errors: expect.any(Array),
    })
  })
})

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

describe.each(calls)('%s', path => {
  test.each([
    ['nothing', '{}'],
    ['prototype keys', '{"__proto__":{"email":"a@example.com"},"constructor":"x"}'],
    [
      'operators',
      '{"email":{"$gt":""},"password":{"$ne":null},"refreshToken":{"$gt":""},"token":{"$gt":""}}',
    ],
    ['arrays', '{"email":["a@example.com"],"password":["x"],"refreshToken":["x"],"token":["x"]}'],
    ['nulls', '{"email":null,"password":null,"refreshToken":null,"token":null}'],
    ['malformed JSON', '{"email":"a@example.com",'],
    ['no body', ''],
    ['a list', '[]'],
    ['a number', '42'],
    ['a zero byte', '{"email":"a\\u0000@example.com","token":1,"refreshToken":1}'],
  ])('when it gets %s, then 400', async (_what, body) => {
    const answer = await auth.post(path, body)
    expect(answer.status).toBe(400)
    expect(answer.body).toMatchObject({ success: false, errors: expect.any(Array) })
  })
})

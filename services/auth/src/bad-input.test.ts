import { createHmac, generateKeyPairSync } from 'node:crypto'
import { testKeys } from '@voxscribe/service/testing'
import jsonwebtoken, { type SignOptions } from 'jsonwebtoken'
import { type Auth, newPerson, startAuth } from './testing.ts'

let auth: Auth
beforeAll(async () => {
  auth = await startAuth()
})
afterAll(() => auth.stop())

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

  test('when it gets 1 MB, then 413', async () => {
    expect((await raw(path, JSON.stringify({ email: 'x'.repeat(1_000_000) }))).status).toBe(413)
  })

  test.each(['text/plain', 'application/x-www-form-urlencoded'])('when it gets %s, then 415', async type => {
    expect((await raw(path, 'email=a', { 'content-type': type })).status).toBe(415)
  })

  test('when it is asked by another method, then 405', async () => {
    const response = await fetch(`${auth.url}/api${path}`)
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST'])
  })
})

describe('access tokens', () => {
  const otherKey = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    .privateKey.export({ type: 'pkcs8', format: 'pem' })
    .toString()
  let userId = ''
  let kid = ''
  beforeAll(async () => {
    const { user, accessToken } = await auth.signedUp(newPerson())
    userId = user.id
    kid = jsonwebtoken.decode(accessToken, { complete: true })?.header.kid ?? ''
  })

  const signed = (options: SignOptions = {}, key = testKeys.privateKey) =>
    jsonwebtoken.sign({ gen: 0 }, key, {
      algorithm: 'ES256',
      keyid: kid,
      issuer: 'voxscribe',
      audience: 'voxscribe-api',
      subject: userId,
      expiresIn: 60,
      ...options,
    })
  const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const claims = () => ({
    sub: userId,
    gen: 0,
    iss: 'voxscribe',
    aud: 'voxscribe-api',
    exp: Date.now() / 1000 + 60,
  })

  test('when a token is as auth makes it, then it is taken', async () => {
    expect((await auth.get('/users/profile', signed())).status).toBe(200)
  })

  test.each([
    ['missing', () => '', 'Unauthorized'],
    ['no token', () => 'abc', 'Unauthorized'],
    ['unsigned', () => `${encoded({ alg: 'none', typ: 'JWT', kid })}.${encoded(claims())}.`, 'Unauthorized'],
    ['of another audience', () => signed({ audience: 'elsewhere' }), 'Unauthorized'],
    ['of another issuer', () => signed({ issuer: 'elsewhere' }), 'Unauthorized'],
    ['from another key', () => signed({}, otherKey), 'Unauthorized'],
    ['from another key with its own kid', () => signed({ keyid: 'other' }, otherKey), 'Unauthorized'],
    ['expired', () => signed({ expiresIn: -1 }), 'Token expired'],
    [
      'altered',
      () => signed().replace(/\.[^.]+\./, `.${encoded({ ...claims(), sub: 'x' })}.`),
      'Unauthorized',
    ],
  ])('when the token is %s, then 401', async (_what, token, message) => {
    const { status, body } = await auth.get('/users/profile', token())
    expect([status, body.message]).toEqual([401, message])
  })

  test('when the token is signed by HS256 with the public key, then 401', async () => {
    // Assembled by hand: the library refuses to sign such a token.
    const content = `${encoded({ alg: 'HS256', typ: 'JWT', kid })}.${encoded(claims())}`
    const signature = createHmac('sha256', testKeys.publicKey).update(content).digest('base64url')
    const { status, body } = await auth.get('/users/profile', `${content}.${signature}`)
    expect([status, body.message]).toEqual([401, 'Unauthorized'])
  })
})

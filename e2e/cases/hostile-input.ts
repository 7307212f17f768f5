import { createHmac, createPrivateKey, createPublicKey, generateKeyPairSync, sign } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import axios, { type AxiosInstance } from 'axios'
import { type Person, signUp } from '../testing/person.ts'
import type { System } from '../testing/system.ts'

const BODIES: [what: string, body: string, status: number][] = [
  ['operators in place of texts', '{"email":{"$gt":""},"password":{"$ne":null}}', 400],
  ['texts of 1 MB', JSON.stringify({ email: 'a'.repeat(1_000_000), password: 'x' }), 413],
  ['arrays', '{"email":["a@example.com"],"password":["x"]}', 400],
  ['nulls', '{"email":null,"password":null}', 400],
  ['a prototype', '{"__proto__":{"email":"a@example.com","password":"x"}}', 400],
  ['a constructor', '{"constructor":{"prototype":{"email":"a@example.com"}}}', 400],
  ['malformed JSON', '{"email":"a@example.com",', 400],
  ['nothing', '', 400],
  ['a list', '[]', 400],
  ['a number', '42', 400],
]
const ADDRESSES = [
  '/auth/register',
  '/auth/login',
  '/auth/refresh',
  '/auth/logout',
  '/auth/forgot-password',
  '/auth/reset-password',
  '/contact',
]

/** No input may cause a 500 (all through the gateway). */
export function hostileInputCases(system: () => System): void {
  let http: AxiosInstance
  let person: Person
  beforeAll(async () => {
    http = axios.create({ baseURL: `${system().appUrl}/api`, validateStatus: () => true })
    person = await signUp(system())
  })
  const post = (path: string, body: string, type = 'application/json', headers = {}) =>
    http.post(path, body, {
      headers: { 'content-type': type, ...headers },
      maxBodyLength: Number.POSITIVE_INFINITY,
    })

  test.each(BODIES)('when a body is %s, then every open address refuses it', async (_what, body, status) => {
    for (const path of ADDRESSES) {
      const answer = await post(path, body)
      expect({ path, status: answer.status }).toEqual({ path, status })
      expect(answer.data).toMatchObject({
        success: false,
        message: expect.any(String),
        code: expect.any(String),
      })
      if (status === 400)
        expect(answer.data.errors[0]).toEqual({ field: expect.any(String), message: expect.any(String) })
    }
  })

  test.each(BODIES)('when a profile is updated with %s, then it is refused', async (_what, body, status) => {
    const answer = await post('/users/update-profile', body, 'application/json', {
      authorization: `Bearer ${person.accessToken}`,
    })
    expect(answer.status).toBe(status)
  })

  test('when the content type is wrong, then the answer is 415', async () => {
    for (const path of ADDRESSES) {
      expect((await post(path, 'email=a&password=b', 'application/x-www-form-urlencoded')).status).toBe(415)
      expect((await post(path, '<email/>', 'text/xml')).status).toBe(415)
      expect((await post(path, '--b--\r\n', 'multipart/form-data; boundary=b')).status).toBe(415)
    }
  })

  test('when there are unknown fields, then they are ignored', async () => {
    const answer = await http.post('/auth/login', {
      email: person.email,
      password: person.password,
      isAdmin: true,
      $where: '1',
    })
    expect(answer.status).toBe(200)
  })

  test.each([
    'page=0',
    'page=-1',
    'page=1.5',
    'page=x',
    'page=1&page=2',
    'limit=0',
    'status=gone',
    'search=a&search=b',
  ])('when a list is asked for with %s, then the answer is 400', async query => {
    expect((await person.http.get(`/transcriptions?${query}`)).status).toBe(400)
  })

  test('when another person’s transcription is named, then it is not found', async () => {
    for (const id of ['00000000-0000-4000-8000-000000000000', '%00', '..%2f..%2fetc', "1'%20or%201=1"]) {
      expect({ id, status: (await person.http.delete(`/transcriptions/${id}`)).status }).toEqual({
        id,
        status: 404,
      })
    }
  })

  describe('tokens', () => {
    const seconds = () => Math.floor(Date.now() / 1000)
    const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const ours = () => createPrivateKey(readFileSync(join(system().dataDir, 'jwt-key.pem')))
    const parts = () =>
      person.accessToken
        .split('.')
        .slice(0, 2)
        .map(text => JSON.parse(Buffer.from(text, 'base64url').toString()))
    const signed = (header: unknown, claims: unknown, key = ours()) => {
      const content = `${part(header)}.${part(claims)}`
      return `${content}.${sign('sha256', Buffer.from(content), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`
    }
    const ask = (token: string) =>
      http.get('/users/profile', { headers: { authorization: `Bearer ${token}` } })

    test('when a token is signed with our key, then it is accepted', async () => {
      const [header, claims] = parts()
      expect((await ask(signed(header, claims))).status).toBe(200)
    })

    test.each<[string, () => string]>([
      ['alg none', () => `${part({ ...parts()[0], alg: 'none' })}.${part(parts()[1])}.`],
      [
        'HS256 with the public key',
        () => {
          const content = `${part({ ...parts()[0], alg: 'HS256' })}.${part(parts()[1])}`
          const secret = createPublicKey(ours()).export({ type: 'spki', format: 'pem' })
          return `${content}.${createHmac('sha256', secret).update(content).digest('base64url')}`
        },
      ],
      ['another audience', () => signed(parts()[0], { ...parts()[1], aud: 'elsewhere' })],
      ['another issuer', () => signed(parts()[0], { ...parts()[1], iss: 'elsewhere' })],
      [
        'another key',
        () => signed(parts()[0], parts()[1], generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey),
      ],
      ['no subject', () => signed(parts()[0], { ...parts()[1], sub: undefined })],
      ['rubbish', () => 'a.b.c'],
    ])('when a token has %s, then the answer is 401 Unauthorized', async (_what, forge) => {
      const answer = await ask(forge())
      expect(answer.status).toBe(401)
      expect(answer.data.message).toBe('Unauthorized')
    })

    test('when a token has run out, then the answer is 401 Token expired', async () => {
      const answer = await ask(signed(parts()[0], { ...parts()[1], exp: seconds() - 10 }))
      expect(answer.status).toBe(401)
      expect(answer.data.message).toBe('Token expired')
    })
  })
}

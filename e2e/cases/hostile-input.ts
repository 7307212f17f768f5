import { type Person, signUp } from '../testing/person.ts'
import type { System } from '../testing/system.ts'

/**
 * Hostile input passes the gateway to a service that refuses it, without a 500. Other tests cover each kind: bodies
 * (packages/service/src/http/http.test.ts, services/auth/src/bad-input.test.ts), tokens (tokens.test.ts), and lists
 * (services/transcription/src/pages/history.test.ts).
 */
export function hostileInputCases(system: () => System): void {
  let person: Person
  beforeAll(async () => {
    person = await signUp(system())
  })
  const send = (path: string, body: string, type: string) =>
    person.http.post(path, body, { headers: { 'content-type': type } })

  test.each(['/auth/login', '/contact', '/users/update-profile'])(
    'when a body for %s is too large, broken or of another type, then it is refused',
    async path => {
      const answers = [
        await send(path, JSON.stringify({ email: 'a'.repeat(1_000_000) }), 'application/json'),
        await send(path, '{"email":{"$gt":""},', 'application/json'),
        await send(path, '--b--\r\n', 'multipart/form-data; boundary=b'),
      ]
      expect(answers.map(({ status }) => status)).toEqual([413, 400, 415])
      for (const { data } of answers) expect(data).toMatchObject({ success: false, code: expect.any(String) })
    },
  )

  test('when a list or a note is requested with invalid parameters, then it is refused', async () => {
    expect((await person.http.get('/transcriptions?page=1&page=2')).status).toBe(400)
    for (const id of ['00000000-0000-4000-8000-000000000000', '%00', '..%2f..%2fetc', "1'%20or%201=1"]) {
      const { status } = await person.http.delete(`/transcriptions/${id}`)
      expect({ id, status }).toEqual({ id, status: 404 })
    }
  })

  test('when a token is forged, then every service answers 401', async () => {
    const [, claims] = person.accessToken.split('.')
    const none = Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url')
    const headers = { authorization: `Bearer ${none}.${claims}.` }
    for (const path of ['/users/profile', '/stripe/usage', '/transcriptions', '/hooks'])
      expect([path, (await person.open.get(path, { headers })).status]).toEqual([path, 401])
  })
}

import { text } from 'node:stream/consumers'
import { eventually } from '../testing/eventually.ts'
import { signUp } from '../testing/person.ts'
import type { System } from '../testing/system.ts'

/** Calls of each service, with the status for a valid token. */
const CALLS: [string, string][] = [
  ['auth', '/users/profile'],
  ['billing', '/stripe/subscription-status'],
  ['transcription', '/transcriptions'],
  ['notification', '/hooks'],
]
const WITHIN_MS = 30_000

/** Each way of signing out takes effect at every service. */
export function generationCases(system: () => System): void {
  type Person = Awaited<ReturnType<typeof signUp>>
  const headers = (accessToken: string) => ({ authorization: `Bearer ${accessToken}` })
  const signIn = async ({ open, email, password }: Person) =>
    (await open.post('/auth/login', { email, password })).data.data as {
      accessToken: string
      refreshToken: string
    }
  async function statuses({ open }: Person, accessToken: string) {
    const asked = CALLS.map(([, path]) => open.get(path, { headers: headers(accessToken) }))
    // Ingestion checks the token before it reads the body, which isn't a form and is refused then.
    const upload = open.post('/transcriptions', {}, { headers: headers(accessToken) })
    return (await Promise.all([...asked, upload])).map(({ status, data }) =>
      status === 401 ? data.message : status,
    )
  }
  const ALL_REFUSED = Array(CALLS.length + 1).fill('Unauthorized')
  /** Resolves when every service refuses the token; fails after half a minute. */
  const refused = async (person: Person, accessToken: string, since: number) => {
    await eventually('every service refuses the token', async () =>
      expect(await statuses(person, accessToken)).toEqual(ALL_REFUSED),
    )
    expect(performance.now() - since).toBeLessThan(WITHIN_MS)
  }
  /** Resolves once the stream is open; `ended` once the server has closed it. */
  async function stream({ open }: Person, accessToken: string) {
    const { data } = await open.get('/transcriptions/events', {
      headers: headers(accessToken),
      responseType: 'stream',
      timeout: 0,
    })
    return { ended: text(data).catch(() => '') }
  }

  test('when one device, all others, or all by a new password are signed out, then every service soon refuses them', async () => {
    const person = await signUp(system())
    const [lost, thief, own] = [await signIn(person), await signIn(person), await signIn(person)]
    const expected = await statuses(person, own.accessToken)
    expect(expected.slice(0, -1)).toEqual(CALLS.map(() => 200))
    expect(expected).not.toContain('Unauthorized')
    const streams = [await stream(person, lost.accessToken), await stream(person, thief.accessToken)]
    let since = performance.now()
    const mine = { headers: headers(own.accessToken) }
    await person.open.delete(`/users/sessions/${lost.refreshToken.split('.')[0]}`, mine)
    await refused(person, lost.accessToken, since)
    expect(await statuses(person, thief.accessToken)).toEqual(expected)
    since = performance.now()
    const { data } = await person.open.delete('/users/sessions', mine)
    for (const { accessToken } of [thief, own]) await refused(person, accessToken, since)
    await Promise.all(streams.map(({ ended }) => ended))
    const next = { headers: headers(data.data.accessToken) }
    expect(await statuses(person, data.data.accessToken)).toEqual(expected)
    const hook = { url: `${system().sandboxUrl}/hook`, events: ['transcription.completed'] }
    expect((await person.open.post('/hooks', hook, next)).status).toBe(201)
    await person.mail(/hook was added/)
    since = performance.now()
    const passwords = { password: person.password, newPassword: 'another horse battery' }
    const changed = await person.open.post('/users/change-password', passwords, next)
    await refused(person, data.data.accessToken, since)
    const { accessToken } = changed.data.data
    expect(await statuses(person, accessToken)).toEqual(expected)
    const { data: hooks } = await person.open.get('/hooks', { headers: headers(accessToken) })
    expect(hooks.data.hooks).toMatchObject([{ enabled: false, disabledReason: 'password_changed' }])
    expect((await person.mail(/password/)).text).toContain('hooks were turned off')
  })
}

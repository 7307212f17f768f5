import { type Answer, type Auth, cookieOf, newPerson, startAuth } from './testing.ts'

let auth: Auth
beforeAll(async () => {
  auth = await startAuth({
    RATE_LIMITS: 'on',
    RATE_LIMIT_LOGIN_ADDRESS: '40/15m',
    RATE_LIMIT_REGISTER: '8/1h',
    RATE_LIMIT_FORGOT_ADDRESS: '12/1h',
    RATE_LIMIT_REFRESH: '5/1m',
  })
})
afterAll(() => auth.stop())
// All requests come from one address, so they share its limit.
beforeEach(() => auth.stored('rate_limits').deleteMany({}))

function tooMany(answer: Answer) {
  expect(answer.status).toBe(429)
  expect(answer.body).toEqual({
    success: false,
    message: expect.stringMatching(/^Too many requests for now\. Please try again in about .+\.$/),
    code: 'rate_limited',
  })
  const seconds = Number(answer.headers.get('retry-after'))
  expect(answer.headers.get('ratelimit')).toMatch(new RegExp(`^"[a-z-]+";r=0;t=${seconds}$`))
  return seconds
}
async function times(count: number, work: () => Promise<Answer>) {
  const statuses: number[] = []
  for (let i = 0; i < count; i++) statuses.push((await work()).status)
  return statuses
}

test('when a password was wrong ten times, then even the right one is 429', async () => {
  const { person } = await auth.signedUp()
  expect(await times(10, () => auth.login(person.email, 'wrong'))).toEqual(Array(10).fill(401))
  const seconds = tooMany(await auth.login(person.email, person.password))
  expect(seconds).toBeGreaterThan(14 * 60)
  expect(seconds).toBeLessThanOrEqual(15 * 60)
})

test('when the right password comes in between, then the count starts over', async () => {
  const { person } = await auth.signedUp()
  await times(9, () => auth.login(person.email, 'wrong'))
  expect((await auth.login(person.email, person.password)).status).toBe(200)
  expect((await auth.login(person.email, 'wrong')).status).toBe(401)
})

describe('when an account is locked by wrong guesses', () => {
  const lock = (email: string) => times(11, () => auth.login(email, 'wrong'))

  test.each(['sign-up', 'sign-in'])('then a browser known since its %s can sign in', async since => {
    const { person, cookie } = await auth.signedUp()
    const signedIn = cookieOf((await auth.login(person.email, person.password)).headers)
    expect(await lock(person.email)).toContain(429)
    const known = since === 'sign-up' ? cookie : signedIn
    expect((await auth.login(person.email, person.password, `theme=dark; ${known}`)).status).toBe(200)
    expect((await auth.login(person.email, person.password)).status).toBe(429)
  })

  test('then that browser has ten tries, too', async () => {
    const { person, cookie } = await auth.signedUp()
    await lock(person.email)
    expect(await times(10, () => auth.login(person.email, 'wrong', cookie))).toEqual(Array(10).fill(401))
    tooMany(await auth.login(person.email, person.password, cookie))
  })

  test('then signing in again returns the same cookie, so cookies do not multiply tries', async () => {
    const { person, cookie } = await auth.signedUp()
    const again = cookieOf((await auth.login(person.email, person.password, cookie)).headers)
    expect(again).toBe(cookie)
  })

  test('then cookies of other accounts, altered ones and those from before a reset are 429', async () => {
    const { person, user, cookie } = await auth.signedUp()
    const other = await auth.signedUp()
    await lock(person.email)
    const [name, value = ''] = cookie.split('=')
    const [, othersValue] = other.cookie.split('=')
    const forged = [other.cookie, `${name}=${othersValue}`, `${name}=x${value}`, `${name}=`, `${name}`]
    for (const each of forged) tooMany(await auth.login(person.email, person.password, each))
    await auth.setUser(user.id, { $inc: { passwordGeneration: 1 } })
    tooMany(await auth.login(person.email, person.password, cookie))
  })
})

test.each([
  ['https://voxscribe.example', true],
  ['http://localhost:8080', false],
])('when the app is at %s, then scripts cannot read the cookie, and Secure is %s', async (url, secure) => {
  const there = await startAuth({ PUBLIC_URL: url })
  const { headers } = await there.post('/auth/register', newPerson())
  await there.stop()
  const [, ...attributes] = headers.getSetCookie()[0]?.split('; ') ?? []
  expect(attributes).toEqual([
    'Path=/api/auth',
    'Max-Age=31536000',
    'HttpOnly',
    'SameSite=Lax',
    ...(secure ? ['Secure'] : []),
  ])
})

test('when 15 passwords are guessed at once, then at most ten are checked', async () => {
  const { person } = await auth.signedUp()
  const answers = await Promise.all(Array.from({ length: 15 }, () => auth.login(person.email, 'wrong')))
  expect(answers.filter(answer => answer.status === 401).length).toBeLessThanOrEqual(10)
})

test.each([
  ['tries many accounts', 40, 401, 900, () => auth.login(newPerson().email, 'wrong')],
  ['registers', 8, 201, 3600, () => auth.post('/auth/register', newPerson())],
  ['refreshes tokens', 5, 401, 60, () => auth.post('/auth/refresh', { refreshToken: 'made up' })],
])('when one address %s more than %i times, then it is 429', async (_what, most, status, seconds, call) => {
  expect(await times(most, call)).toEqual(Array(most).fill(status))
  expect(tooMany(await call())).toBeLessThanOrEqual(seconds)
})

test('when resets are asked for too often, then known and unknown accounts are treated alike', async () => {
  const { person } = await auth.signedUp()
  for (const email of [person.email, 'nobody@example.com']) {
    expect(await times(5, () => auth.post('/auth/forgot-password', { email }))).toEqual(Array(5).fill(200))
    tooMany(await auth.post('/auth/forgot-password', { email }))
  }
  tooMany(await auth.post('/auth/forgot-password', { email: 'someone.else@example.com' }))
})

test('when strangers ask for resets, then a browser of the owner’s still can, five times, and no forged one', async () => {
  const { person, cookie } = await auth.signedUp()
  const other = await auth.signedUp()
  const ask = (given: string) =>
    auth.post('/auth/forgot-password', { email: person.email }, undefined, given ? { cookie: given } : {})
  expect(await times(5, () => ask(''))).toEqual(Array(5).fill(200))
  for (const forged of ['', other.cookie, `${cookie}x`]) tooMany(await ask(forged))
  expect(await times(3, () => ask(cookie))).toEqual(Array(3).fill(200))
})

test('when calls come with an ended token, then they use up none of the person’s password or profile changes', async () => {
  const { person, accessToken } = await auth.signedUp()
  const change = (token: string, newPassword: string) =>
    auth.post('/users/change-password', { password: person.password, newPassword }, token)
  const { body } = await change(accessToken, person.password)
  expect(await times(30, () => change(accessToken, 'thief’s own'))).toEqual(Array(30).fill(401))
  const rename = (token: string) => auth.put('/users/profile', { first_name: 'Eve' }, token)
  expect(await times(31, () => rename(accessToken))).toEqual(Array(31).fill(401))
  expect((await rename(body.data.accessToken)).status).toBe(200)
  let token = body.data.accessToken
  for (let i = 0; i < 9; i++) token = (await change(token, person.password)).body.data.accessToken
  expect(tooMany(await change(token, person.password))).toBeLessThanOrEqual(3600)
})

test('when a profile is changed too often by either call, even to taken addresses, then it is 429', async () => {
  const [{ person }, { accessToken }, other] = [
    await auth.signedUp(),
    await auth.signedUp(),
    await auth.signedUp(),
  ]
  const guess = () => auth.post('/users/update-profile', { email: person.email }, accessToken)
  expect(await times(30, guess)).toEqual(Array(30).fill(409))
  expect(tooMany(await guess())).toBeLessThanOrEqual(3600)
  const rename = (token: string) => auth.put('/users/profile', { first_name: 'Augusta' }, token)
  tooMany(await rename(accessToken))
  expect((await rename(other.accessToken)).status).toBe(200)
})

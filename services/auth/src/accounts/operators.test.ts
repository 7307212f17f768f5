import { eventually } from '@voxscribe/service/testing'
import { authForAll } from '../testing.ts'

const auth = authForAll({ SUPPORT_EMAIL: 'help@voxscribe.test' })
const REASON = { reason: 'sends the same hour of noise all day' }

const signIn = ({ person }: { person: { email: string; password: string } }) =>
  auth.login(person.email, person.password)
async function useOf(secret: string) {
  const response = await fetch(`${auth.url}/internal/keys/use`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ secret, scope: 'read', address: '192.0.2.1' }),
  })
  return { status: response.status, body: await response.json() }
}

test('when an account is looked for by id, e-mail, number or link code, then it is found as it is', async () => {
  const { user, person } = await auth.signedUp()
  const number = person.wtp_number
  const spellings = [user.id, person.email.toUpperCase(), `+1 (${number.slice(0, 3)}) ${number.slice(3)}`]
  for (const who of [...spellings, `001${number}`, ` ${user.link_code.toLowerCase()}`]) {
    const { status, body } = await auth.operator('find', { who })
    expect(status).toBe(200)
    expect(body.data).toEqual({
      userId: user.id,
      name: 'Ada Lovelace',
      email: person.email,
      number: `+1${number}`,
      linked: false,
      linkCode: user.link_code,
      blocked: null,
      createdAt: expect.any(String),
    })
  }
  expect(await auth.operator('find', { who: 'nobody@example.com' })).toMatchObject({
    status: 404,
    body: { code: 'no_account' },
  })
})

test('when the figures are asked for, then they count accounts, and name nobody', async () => {
  const people = async () => (await auth.operator('figures', {})).body.data.figures.People
  const before = await people()
  const { user, person } = await auth.signedUp()
  await auth.operator('block', { who: user.id, ...REASON })
  const after = await people()
  expect([after.accounts - before.accounts, after.blocked - before.blocked]).toEqual([1, 1])
  const said = JSON.stringify(await auth.operator('figures', {}))
  for (const theirs of [person.email, person.wtp_number, user.id, 'Ada']) expect(said).not.toContain(theirs)
})

describe('when an account is blocked', () => {
  test('then sessions and keys end at once, signing in says why, and others hear of it', async () => {
    const person = await auth.signedUp()
    const key = (await auth.post('/keys', { name: 'n8n', scopes: ['read'] }, person.accessToken)).body.data
    const { body } = await auth.operator('block', { who: person.person.email, ...REASON })
    expect(body.data.blocked).toMatchObject(REASON)
    expect((await auth.get('/users/profile', person.accessToken)).status).toBe(401)
    expect((await auth.post('/auth/refresh', { refreshToken: person.refreshToken })).status).toBe(401)
    const refused = { status: 403, body: { code: 'account_blocked' } }
    expect(await useOf(key.secret)).toMatchObject(refused)
    const signedIn = await signIn(person)
    expect(signedIn).toMatchObject(refused)
    expect(signedIn.body.message).toContain('help@voxscribe.test')
    expect((await auth.login(person.person.email, 'wrong')).status).toBe(401)
    const told = await eventually(() => auth.updatesOf(person.user.id)[0])
    expect(told.data).toMatchObject({ blocked: true, revision: 1 })

    await auth.operator('unblock', { who: person.user.id })
    expect((await signIn(person)).status).toBe(200)
    expect((await useOf(key.secret)).status).toBe(200)
    await eventually(() => auth.updatesOf(person.user.id).some(({ data }) => data.blocked === false))
  })

  test('by two operators at once, then it is one change', async () => {
    const person = await auth.signedUp()
    const block = () => auth.operator('block', { who: person.user.id, ...REASON })
    const answers = await Promise.all([block(), block(), block()])
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    await block()
    expect(await auth.storedUser(person.user.id)).toMatchObject({ revision: 1 })
  })

  test('while a session begins, then that session is not renewed', async () => {
    const person = await auth.signedUp()
    await auth.setUser(person.user.id, { $set: { blocked: { at: new Date(), ...REASON } } })
    expect((await auth.post('/auth/refresh', { refreshToken: person.refreshToken })).status).toBe(401)
  })
})

test('when an account is erased, then it is gone as if the person had done it', async () => {
  const { user, person, accessToken } = await auth.signedUp()
  expect((await auth.operator('erase', { who: user.id })).status).toBe(400)
  expect(await auth.operator('erase', { who: person.email, ...REASON })).toMatchObject({ status: 200 })
  await eventually(() => auth.others.sent('AccountErased').some(({ data }) => data.userId === user.id))
  expect((await auth.get('/users/profile', accessToken)).status).toBe(401)
  expect((await auth.operator('erase', { who: user.id, ...REASON })).status).toBe(404)
})

test.each([
  ['no reason', { who: 'ada@example.com' }, {}, 400],
  ['nobody’s name', { who: 'ada@example.com', by: '', ...REASON }, {}, 400],
  ['a page in a browser', { who: 'ada@example.com', ...REASON }, { origin: 'http://evil.example' }, 403],
])('when a block comes with %s, then it is refused', async (_, body, headers, status) => {
  expect((await auth.operator('block', body, headers)).status).toBe(status)
})

test('when there is no such call, then it is 404', async () => {
  expect((await auth.operator('constructor', {})).status).toBe(404)
})

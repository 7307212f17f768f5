import { UserUpdated } from '@voxscribe/contracts/events'
import { HOOKS_MAX } from '@voxscribe/contracts/limits'
import { eventually, tokenFor } from '@voxscribe/service/testing'
import { type Account, notificationForAll } from '../testing.ts'
import { callsTo, hookCalls } from './testing.ts'

const app = notificationForAll()
const { call, create } = hookCalls(app)

test('when a hook is made, then its secret is told this once, and it can be changed, turned off and deleted', async () => {
  const { hook, secret } = await create('ada', { description: ' My\nserver ' })
  expect(secret).toMatch(/^whsec_[\w+/]{43}=$/)
  expect(hook).toEqual({
    id: expect.any(String),
    url: 'https://example.com/hook',
    events: ['transcription.completed'],
    description: 'My server',
    enabled: true,
    disabledReason: null,
    lastUsedAt: null,
    createdAt: expect.any(String),
  })
  expect((await call('ada', 'GET', '/hooks')).body.data).toEqual({ hooks: [hook] })
  const wanted = { events: ['transcription.failed'], description: '', enabled: false }
  const changed = await call('ada', 'PATCH', `/hooks/${hook.id}`, wanted)
  expect(changed.body.data).toEqual({ hook: { ...hook, ...wanted } })
  const rotated = await call('ada', 'POST', `/hooks/${hook.id}/rotate`)
  expect(rotated.body.data.secret).toMatch(/^whsec_/)
  expect(rotated.body.data.secret).not.toBe(secret)
  expect((await call('ada', 'DELETE', `/hooks/${hook.id}`)).status).toBe(200)
  expect((await call('ada', 'GET', '/hooks')).body.data).toEqual({ hooks: [] })
})

describe('when the password of an account changes', () => {
  const news = (account: Account, passwordGeneration: number, revision: number) =>
    UserUpdated.create({ ...account, generation: passwordGeneration, passwordGeneration, revision })
  const as = (userId: string, gen: number) => ({ authorization: tokenFor(userId, 900, { gen }) })
  const hooksOf = async (userId: string, gen: number) =>
    (await call(userId, 'GET', '/hooks', undefined, as(userId, gen))).body.data.hooks

  test('then hooks of before are off and say why, until their person turns them on, and later ones stay on', async () => {
    const account = await app.register()
    const { userId } = account
    const { hook } = await create(userId)
    const changed = news(account, 1, 1)
    await app.publish(changed)
    const off = { ...hook, enabled: false, disabledReason: 'password_changed' }
    expect(await hooksOf(userId, 1)).toEqual([off])
    const on = await call(userId, 'PATCH', `/hooks/${hook.id}`, { enabled: true }, as(userId, 1))
    expect(on.body.data.hook).toEqual(hook)
    await call(userId, 'POST', '/hooks', wantedHook, as(userId, 1))
    // The event is redelivered, and a later change repeats it.
    await app.publish(changed)
    await app.publish(news(account, 1, 2))
    expect((await hooksOf(userId, 1)).map((each: { enabled: boolean }) => each.enabled)).toEqual([true, true])
    await app.publish({ ...news(account, 2, 3) })
    const two = await hooksOf(userId, 2)
    expect(two.map((each: { disabledReason: string }) => each.disabledReason)).toEqual([
      'password_changed',
      'password_changed',
    ])
  })
})

test('when a hook is made, then its person is told, and the last address that was proved', async () => {
  const account = await app.register()
  const proved = `proved-${account.email}`
  await app.publish(UserUpdated.create({ ...account, provedEmail: proved, revision: 1 }))
  await create(account.userId)
  for (const address of [account.email, proved]) {
    const mail = await eventually(() =>
      app.mailServer.to(address).find(({ subject }) => /hook/.test(subject)),
    )
    expect(mail.subject).toBe('A hook was added to your account')
    expect(mail.text).toContain(wantedHook.url)
    expect(mail.text).toContain('https://voxscribe.test/hooks')
  }
})

test('when a hook is another person’s, then it is not found, whatever is asked', async () => {
  const { hook } = await create('owner')
  const { id: delivery } = (await call('owner', 'POST', `/hooks/${hook.id}/test`)).body.data.delivery
  const asked = await Promise.all(callsTo(hook.id, delivery).map(each => call('eve', ...each)))
  expect(asked.map(({ status }) => status)).toEqual(asked.map(() => 404))
  expect((await call('eve', 'GET', '/hooks')).body.data.hooks).toEqual([])
  expect((await call('owner', 'GET', '/hooks')).body.data.hooks).toEqual([hook])
})

test('when very many hooks are asked for at once, then twenty are made, and the rest is told what to do', async () => {
  const made = await Promise.all(
    Array.from({ length: 200 }, () => call('greedy', 'POST', '/hooks', wantedHook)),
  )
  expect(made.filter(({ status }) => status === 201)).toHaveLength(HOOKS_MAX)
  const refused = made.filter(({ status }) => status !== 201)
  expect(new Set(refused.map(({ body }) => `${body.code} ${body.message}`))).toEqual(
    new Set(['too_many_hooks You have 20 hooks. Delete one that you no longer use.']),
  )
  const [first] = (await call('greedy', 'GET', '/hooks')).body.data.hooks
  await call('greedy', 'DELETE', `/hooks/${first.id}`)
  expect((await call('greedy', 'POST', '/hooks', wantedHook)).status).toBe(201)
})

test('when a person makes and deletes hooks on and on, then a day has forty: each is a mail to their address', async () => {
  const makeOne = async () => {
    const { status, body } = await call('restless', 'POST', '/hooks', wantedHook)
    if (status === 201) await call('restless', 'DELETE', `/hooks/${body.data.hook.id}`)
    return status
  }
  const made: number[] = []
  for (let at = 0; at <= 2 * HOOKS_MAX; at++) made.push(await makeOne())
  expect(made).toEqual([...Array(2 * HOOKS_MAX).fill(201), 429])
})

test('when a hook gets another address, then its person is told by mail, as of a new one', async () => {
  const { userId, email } = await app.register()
  const { hook } = await create(userId)
  const told = (url: string) => app.mailServer.to(email).filter(({ text }) => text.includes(`to ${url}.`))
  const [before, after] = [wantedHook.url, 'https://elsewhere.example/']
  await eventually(() => told(before).length === 1)
  await call(userId, 'PATCH', `/hooks/${hook.id}`, { url: before, description: 'the same' })
  await call(userId, 'PATCH', `/hooks/${hook.id}`, { url: after })
  await eventually(() => told(after).length === 1)
  expect(told(before)).toHaveLength(1)
})

const wantedHook = { url: 'https://example.com/hook', events: ['transcription.completed'] }

test.each([
  ['no address', 'url', {}],
  ['an address that is none', 'url', { url: 'example.com/hook' }],
  ['another scheme', 'url', { url: 'file:///etc/passwd' }],
  ['a password', 'url', { url: 'https://ada:secret@example.com/' }],
  ['no TLS', 'url', { url: 'http://example.com/' }],
  ['localhost', 'url', { url: 'https://localhost./' }],
  ['a name below localhost', 'url', { url: 'https://app.localhost/' }],
  ['loopback', 'url', { url: 'https://127.0.0.1/' }],
  ['loopback, with a dot', 'url', { url: 'https://127.0.0.1./' }],
  ['loopback as one number', 'url', { url: 'https://2130706433/' }],
  ['loopback in hexadecimal', 'url', { url: 'https://0x7f.1/' }],
  ['loopback in full-width digits', 'url', { url: 'https://１２７.0.0.1/' }],
  ['loopback of IPv6', 'url', { url: 'https://[::1]:8443/' }],
  ['loopback mapped to IPv6', 'url', { url: 'https://[::ffff:7f00:1]/' }],
  ['where clouds keep credentials', 'url', { url: 'https://169.254.169.254/latest/meta-data' }],
  ['a private address', 'url', { url: 'https://10.1.2.3/' }],
  ['no event', 'events', { events: [] }],
  ['an unknown event', 'events.0', { events: ['transcription.started'] }],
  ['a description that is too long', 'description', { description: 'x'.repeat(201) }],
])(
  'when a hook is asked for with %s, then the field is named, at its change, too',
  async (_, field, wrong) => {
    const { hook } = await create('careless')
    const bad =
      field === 'url' && !('url' in wrong) ? { events: wantedHook.events } : { ...wantedHook, ...wrong }
    const made = await call('careless', 'POST', '/hooks', bad)
    expect([made.status, made.body.errors.map((error: { field: string }) => error.field)]).toEqual([
      400,
      [field],
    ])
    if (Object.keys(wrong).length)
      expect((await call('careless', 'PATCH', `/hooks/${hook.id}`, wrong)).status).toBe(400)
    await call('careless', 'DELETE', `/hooks/${hook.id}`)
  },
)

test('when nobody is signed in, then there are no hooks', async () => {
  expect((await fetch(`${app.url}/api/hooks`)).status).toBe(401)
})

import { randomUUID } from 'node:crypto'
import { SenderLinked } from '@voxscribe/contracts/events'
import { eventually } from '@voxscribe/service/testing'
import { createProgram } from '../oauth/testing.ts'
import { comeBack, type Person, startProvider, type TestProvider } from '../oidc/testing.ts'
import { createAuthenticator } from '../passkeys/testing.ts'
import { type Auth, newPerson, startAuth, tokenOf } from '../testing.ts'

// Sudhodanan and Paverd, “Pre-hijacked accounts” (USENIX Security 2022): a stranger signs up with another person's
// address before that person does. Each case is one of their classes.

const provider = {} as TestProvider
const auth = {} as Auth
beforeAll(async () => {
  Object.assign(provider, await startProvider())
  Object.assign(auth, await startAuth(provider.settings))
})
afterAll(async () => {
  await auth.stop?.()
  await provider.stop?.()
})

let numbers = 0
/** A number that no other case uses. */
const newNumber = () => `336987${String(++numbers).padStart(5, '0')}`
const WORD = 'battery staple'
const ORIGIN = 'http://localhost:8080'
const stored = async (id: string) => (await auth.storedUser(id))!

async function enter(person: Person) {
  provider.is(person)
  const { came, cookie } = await comeBack(auth, provider)
  return (await auth.post('/auth/oidc', came, undefined, { cookie })).body.data
}

/** Links a chat by the account's current code. */
async function linkChat(userId: string, channel: 'whatsapp' | 'telegram', phone: string | null) {
  const { linkCode: usedCode } = await stored(userId)
  const source = { channel, address: phone ?? `tg:${userId}`, messageId: randomUUID() }
  const data = { userId, phone, whatsappUserId: phone ? null : source.address, usedCode, source }
  await auth.others.publish(SenderLinked.create(data))
  await eventually(async () => (await stored(userId)).linkCode !== usedCode)
  return usedCode as string
}

/** Adds all that a stranger can to an account, and returns what is still open to the stranger. */
async function furnished({ user, ...token }: Awaited<ReturnType<Auth['signedUp']>>) {
  const { secret } = (await auth.post('/keys', { name: 'x', scopes: ['read'] }, token.accessToken)).body.data
  const program = createProgram(auth)
  const { access } = await program.connect(token.accessToken)
  const device = createAuthenticator(ORIGIN)
  const { options } = (await auth.post('/users/passkeys/options', {}, token.accessToken)).body.data
  const added = { name: 'Phone', response: device.create(options) }
  expect((await auth.post('/users/passkeys', added, token.accessToken)).status).toBe(201)
  await linkChat(user.id, 'whatsapp', newNumber())
  await linkChat(user.id, 'telegram', null)
  await linkChat(user.id, 'whatsapp', newNumber())
  const replaced = await eventually(() =>
    auth.others.sent('SenderReplaced').find(({ data }) => data.userId === user.id),
  )
  const { boundBy } = await stored(user.id)

  return async () => {
    const { options } = (await auth.post('/auth/passkey/options', {})).body.data
    const signed = { response: device.get(options) }
    const ways = {
      session: auth.post('/auth/refresh', { refreshToken: token.refreshToken }),
      'access token': auth.get('/users/profile', token.accessToken),
      key: auth.internal('/internal/keys/use', { secret, scope: 'read', address: '192.0.2.1' }),
      program: program.use(access),
      passkey: auth.post('/auth/passkey', signed),
      'undo-number link': auth.post('/auth/undo-number', { token: tokenOf(replaced.data.undoLink) }),
    }
    const open: string[] = []
    for (const [name, way] of Object.entries(ways)) if ((await way).status < 400) open.push(name)
    const after = await stored(user.id)
    if (after.boundBy === boundBy) open.push('chats')
    if (after.linked || after.numberProved) open.push('number')
    return open
  }
}

const proofs: [string, (email: string) => Promise<string>][] = [
  [
    'a mailed link to a new password',
    async email => {
      expect((await auth.reset(await auth.resetToken(email), WORD)).status).toBe(200)
      return (await auth.login(email, WORD)).body.data.accessToken
    },
  ],
  [
    'a mailed link for the provider',
    async email => {
      const { next, ticket } = await enter({ sub: randomUUID(), email, email_verified: true })
      expect(next).toBe('link')
      await auth.post('/auth/oidc/link', { ticket, mail: true })
      const mails = auth.others.sent('SignInLinkRequested').filter(({ data }) => data.email === email)
      const linked = await auth.post('/auth/oidc/link', { token: tokenOf(mails.at(-1)!.data.link) })
      return linked.body.data.accessToken
    },
  ],
]

describe.each(proofs)('when a mailbox is first proved by %s', (_name, prove) => {
  test('then nothing that a stranger had put into the account opens it, and its person goes on', async () => {
    const stranger = await auth.signedUp()
    const { email, password } = stranger.person
    const openNow = await furnished(stranger)
    const accessToken = await prove(email)
    expect(await openNow()).toEqual([])
    expect((await auth.login(email, password)).status).toBe(401)
    expect(await auth.userOf(accessToken)).toMatchObject({ email, linked: false })
    const told = await eventually(() =>
      auth.others.sent('PasswordChanged').find(({ data }) => data.userId === stranger.user.id),
    )
    expect(told.data).toMatchObject({ email, unlinked: true })
  })

  test('then a stranger of a provider that verifies no addresses is out as well', async () => {
    const { email, password: _, ...form } = newPerson()
    const unverified = { sub: `stranger of ${email}`, email, email_verified: false }
    const { ticket } = await enter(unverified)
    expect((await auth.post('/auth/register', { ...form, email, ticket })).status).toBe(201)
    expect((await enter(unverified)).user).toMatchObject({ email })
    await prove(email)
    expect(await enter(unverified)).toMatchObject({ next: 'register' })
  })

  test('then the next proof leaves the chats linked', async () => {
    const { person, user } = await auth.signedUp()
    await prove(person.email)
    await linkChat(user.id, 'whatsapp', newNumber())
    const { boundBy } = await stored(user.id)
    await prove(person.email)
    expect(await stored(user.id)).toMatchObject({ boundBy, linked: true, numberProved: true })
  })
})

test('when the browser that opened the account resets its password, then the chats stay linked', async () => {
  const { person, user, cookie } = await auth.signedUp()
  await linkChat(user.id, 'whatsapp', newNumber())
  const { boundBy } = await stored(user.id)
  const reset = { token: await auth.resetToken(person.email), newPassword: WORD }
  expect((await auth.post('/auth/reset-password', reset, undefined, { cookie })).status).toBe(200)
  expect(await stored(user.id)).toMatchObject({ boundBy, linked: true, mailbox: person.email })
})

test('when a changed address is confirmed, then only the browser that opened the account proves its mailbox', async () => {
  const { user, accessToken, cookie, person } = await auth.signedUp()
  const email = `new-${person.email}`
  await auth.put('/users/profile', { email }, accessToken)
  const { confirmToken = '' } = (await eventually(() => auth.updatesOf(user.id)[0])).data
  const confirm = (more?: object) =>
    auth.post('/auth/confirm-email', { token: confirmToken }, undefined, more as never)
  await confirm()
  expect((await stored(user.id)).mailbox).toBeUndefined()
  await auth.setUser(user.id, { $set: { provedEmail: person.email } })
  await confirm({ cookie })
  expect((await stored(user.id)).mailbox).toBe(email)
})

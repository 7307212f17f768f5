import {
  EmailChanged,
  HookMade,
  InvitationMade,
  KeyMade,
  NumberChanged,
  NumberTakenOver,
  PasskeyChanged,
  PasswordChanged,
  PasswordRemoved,
  PasswordResetRequested,
  SenderReplaced,
  SignInLinkRequested,
  UserUpdated,
} from '@voxscribe/contracts/events'
import { eventually } from '@voxscribe/service/testing'
import {
  completed,
  newAccount,
  newSource,
  notificationForAll,
  registered,
  startNotification,
} from '../testing.ts'

const app = notificationForAll()

const reset = (email: string) =>
  PasswordResetRequested.create({
    userId: 'u',
    email,
    firstName: 'Ada',
    resetLink: 'https://voxscribe.test/reset-password?token=abc',
    validSeconds: 3600,
  })

/** The mails to an address once everything published before is handled. */
async function mailsTo(address: string) {
  const marker = reset(newAccount().email)
  await app.publish(marker)
  await app.mail(marker.data.email)
  return app.mailServer.to(address)
}

test('when a person has signed up, then they are welcomed by text and HTML', async () => {
  const event = registered()
  await app.publish(event)
  const mail = await app.mail(event.data.email)
  expect(mail).toMatchObject({
    subject: 'Welcome to Voxscribe',
    fromShown: 'Voxscribe <no-reply@voxscribe.test>',
    text: expect.stringContaining('Hi Ada,'),
    html: expect.stringContaining('href="https://wa.me/15550783881?text=VX-ABCDEFGH"'),
  })
  for (const said of ['VX-ABCDEFGH', '+1 555 078 3881', 'https://voxscribe.test/dashboard'])
    expect(mail.text).toContain(said)
  expect(mail.headers).toContainEqual({ name: 'Auto-Submitted', value: 'auto-generated' })
})

test('when the same event comes five times at once, then there is one mail', async () => {
  const event = registered()
  await Promise.all(Array.from({ length: 5 }, () => app.publish(event)))
  await app.mail(event.data.email)
  expect(await mailsTo(event.data.email)).toHaveLength(1)
})

describe('when a process begins to send a mail', () => {
  /** `behind`: milliseconds by which its clock is behind. */
  const beginToSend = async (email: string, behind: number) => {
    const event = reset(email)
    const at = new Date(Date.now() - behind)
    const lease = { owner: 'another', term: 1, beat: 0 }
    const record = { _id: `reset:${event.id}`, outcome: 'sending', lease, detail: '', at }
    await app.stored('dispatches').insertOne(record)
    return event
  }

  test('and dies over it, then another sends it', async () => {
    await app.publish(await beginToSend('orphan@example.com', -3_600_000))
    await app.mail('orphan@example.com')
  })

  test.each([-3_600_000, 0, 3_600_000])(
    'and still works, with a clock %s ms behind, then another process sends nothing',
    async behind => {
      const email = `busy${behind}@example.com`
      const event = await beginToSend(email, behind)
      const handled = app.publish(event)
      expect(await mailsTo(email)).toEqual([])
      await app.stored('dispatches').updateOne({ _id: `reset:${event.id}` }, { $set: { outcome: 'sent' } })
      await handled
      expect(await mailsTo(email)).toEqual([])
    },
  )
})

test('when a password reset was asked for, then the link comes by mail', async () => {
  await app.publish(reset('forgetful@example.com'))
  const mail = await app.mail('forgetful@example.com')
  expect(mail.subject).toBe('Reset your Voxscribe password')
  expect(mail.text).toContain('The link works once, within 60 minutes.')
  expect(mail.text).toContain('https://voxscribe.test/reset-password?token=abc')
  expect(mail.html).toContain('href="https://voxscribe.test/reset-password?token=abc"')
})

test('when an earlier address can take the account back, then the reset mail says so', async () => {
  const { data, ...event } = reset('taken@example.com')
  const undoUntil = '2026-12-07T12:00:00.000Z'
  await app.publish({ ...event, data: { ...data, formerEmail: 'm•••@example.com', undoUntil } })
  const { text } = await app.mail('taken@example.com')
  for (const said of ['m•••@example.com', 'December 7', 'support@']) expect(text).toContain(said)
})

test('when a reset link has expired before its mail could be sent, then none is sent', async () => {
  const occurredAt = new Date(Date.now() - 3_600_000).toISOString()
  await app.publish({ ...reset('late@example.com'), occurredAt })
  expect(await mailsTo('late@example.com')).toEqual([])
})

test('when an e-mail address was changed, then the old one gets the way back', async () => {
  const undoLink = 'https://voxscribe.test/undo-email?token=abc'
  const [oldEmail, newEmail] = ['before@example.com', 'after@example.com']
  await app.publish(EmailChanged.create({ userId: 'u', oldEmail, newEmail, firstName: 'Ada', undoLink }))
  const mail = await app.mail(oldEmail)
  expect(mail.subject).toBe('The email address of your Voxscribe account was changed')
  expect(mail.text).toContain(newEmail)
  expect(mail.text).toContain(undoLink)
  expect(await mailsTo(newEmail)).toEqual([])
})

test('when a password was changed, then the person is told, with a way to take the account back', async () => {
  const data = { userId: 'u', email: 'changed@example.com', firstName: 'Ada' }
  await app.publish(PasswordChanged.create(data))
  const mail = await app.mail(data.email)
  expect(mail.subject).toBe('The password of your Voxscribe account was changed')
  expect(mail.text).toContain('https://voxscribe.test/forgot-password')
  for (const ended of ['API keys', 'hooks were turned off', 'shared notes no longer work'])
    expect(mail.text).toContain(ended)
})

test('when a mailbox was proved for the first time, then its person hears what ended, and how to link a chat', async () => {
  const data = { userId: 'u', email: 'proved@example.com', firstName: 'Ada', unlinked: true }
  await app.publish(PasswordChanged.create(data))
  const mail = await app.mail(data.email)
  expect(mail.subject).toBe('Earlier ways into your Voxscribe account have ended')
  for (const said of ['chats were unlinked', 'https://voxscribe.test/dashboard', 'hooks were turned off'])
    expect(mail.text).toContain(said)
})

test('when an API key was made, then its person is told, in case it was someone else', async () => {
  const { userId, email } = await app.register()
  await app.publish(KeyMade.create({ userId, name: 'n8n' }))
  const mail = await app.mail(email, 2)
  expect(mail.subject).toBe('An API key was added to your account')
  expect(mail.text).toContain('“n8n”')
  expect(mail.text).toContain('https://voxscribe.test/api-keys')
})

test.each([
  ['added', 'A passkey was added to your account'],
  ['removed', 'A passkey was removed from your account'],
] as const)(
  'when a passkey is %s, then its person is told its name, and how to end all',
  async (change, subject) => {
    const { userId, email } = await app.register()
    await app.publish(PasskeyChanged.create({ userId, name: 'Phone', change }))
    const mail = await app.mail(email, 2)
    expect(mail.subject).toBe(subject)
    expect(mail.text).toContain('“Phone”')
    expect(mail.text).toContain('https://voxscribe.test/forgot-password')
  },
)

test('when a password is removed, then its person is told, with a way to a new one', async () => {
  const { userId, email } = await app.register()
  await app.publish(PasswordRemoved.create({ userId }))
  const mail = await app.mail(email, 2)
  expect(mail.subject).toBe('The password of your Voxscribe account was removed')
  expect(mail.text).toContain('https://voxscribe.test/forgot-password')
})

test('when a sign-in by the provider is to be linked, then the address gets the link while it is valid', async () => {
  const { userId, email } = await app.register()
  const asked = (link: string, validSeconds: number) =>
    SignInLinkRequested.create({ userId, email, firstName: 'Ada', provider: 'Lab', link, validSeconds })
  const late = asked('https://voxscribe.test/link-sign-in?token=late', 1)
  await app.publish({ ...late, occurredAt: new Date(Date.now() - 2_000).toISOString() })
  await app.publish(asked('https://voxscribe.test/link-sign-in?token=abc', 3_600))
  const mail = await app.mail(email, 2)
  expect(mail.subject).toBe('Sign in to Voxscribe with Lab?')
  expect(mail.text).toContain('https://voxscribe.test/link-sign-in?token=abc')
  expect(mail.text).toContain('within 60 minutes')
})

test('when a person invites somebody, then these get the link, and nobody does once it has expired', async () => {
  const { userId, email: from } = await app.register()
  const invite = (email: string, expiresAt: string) => {
    const inviteLink = 'https://voxscribe.test/signup?invite=secret'
    return app.publish(InvitationMade.create({ userId, email, from, inviteLink, expiresAt }))
  }
  await invite('late@example.com', new Date(Date.now() - 1_000).toISOString())
  await invite('guest@example.com', new Date(Date.now() + 60_000).toISOString())
  const mail = await app.mail('guest@example.com')
  expect(mail.subject).toBe('You are invited to Voxscribe')
  for (const part of [from, 'https://voxscribe.test/signup?invite=secret', 'works once'])
    expect(mail.text).toContain(part)
  expect(mail.text).not.toContain('Lovelace')
  expect(app.mailServer.to('late@example.com')).toEqual([])
})

test('when a change was undone, then the person is told, at the last proved address, too', async () => {
  const account = await app.register()
  const provedEmail = `proved-${account.email}`
  await app.publish(UserUpdated.create({ ...account, provedEmail, revision: 1 }))
  const { userId, email } = account
  await app.publish(PasswordChanged.create({ userId, email, firstName: 'Ada', undone: true }))
  for (const address of [email, provedEmail]) {
    const mail = await eventually(() =>
      app.mailServer.to(address).find(({ subject }) => /undone/.test(subject)),
    )
    expect(mail.text).toContain('hooks were turned off')
  }
})

test('when there are no passwords, then no mail names one or leads to a new one, and each says what to do', async () => {
  const at = await startNotification({ OIDC_ONLY: 'on' })
  const account = newAccount()
  const { userId, email } = account
  const me = { userId, email, firstName: 'Ada' }
  const links = { link: 'https://voxscribe.test/x', undoLink: 'https://voxscribe.test/y' }
  await at.publish(registered(account))
  for (const event of [
    EmailChanged.create({ ...me, oldEmail: email, newEmail: 'new@example.com', undoLink: links.undoLink }),
    SignInLinkRequested.create({ ...me, provider: 'Lab', link: links.link, validSeconds: 3_600 }),
    PasswordChanged.create({ ...me, undone: true }),
    PasswordChanged.create({ ...me, unlinked: true }),
    KeyMade.create({ userId, name: 'n8n' }),
    HookMade.create({ userId, url: 'https://example.com/' }),
    PasskeyChanged.create({ userId, name: 'Phone', change: 'added' }),
    PasskeyChanged.create({ userId, name: 'Phone', change: 'removed' }),
  ])
    await at.publish(event)
  await at.mail(email, 9)
  const mails = at.mailServer.to(email)
  expect(mails.filter(({ text, html }) => /password/i.test(text + html))).toEqual([])
  expect(mails.filter(({ text }) => /ign out on all other devices/.test(text))).toHaveLength(6)
  expect(mails.filter(({ text }) => text.includes('https://voxscribe.test/security'))).toHaveLength(4)
  await at.stop()
})

test('when a number was taken over, then the one who had it is told', async () => {
  const data = { userId: 'u', phone: '12025550123', email: 'lost@example.com', firstName: 'Ada' }
  await app.publish(NumberTakenOver.create(data))
  const mail = await app.mail('lost@example.com')
  expect(mail.subject).toBe('Your WhatsApp number was linked to another account')
  expect(mail.text).toContain('+1 202 555 0123')
})

test('when the mail server is busy, then the mail is sent later, with the same Message-ID', async () => {
  app.mailServer.refuse({ at: 'data', code: 451 })
  const event = registered()
  await app.publish(event)
  const mail = await app.mail(event.data.email)
  expect(mail.headers).toContainEqual({
    name: 'Message-ID',
    value: expect.stringMatching(/^<[\da-f-]{36}@voxscribe\.test>$/),
  })
  expect(await mailsTo(event.data.email)).toHaveLength(1)
})

test('when the mail server refuses our own address, then the mail waits until it is set right', async () => {
  app.mailServer.refuse({ at: 'sender', code: 553 })
  const event = registered()
  await app.publish(event)
  await app.mail(event.data.email)
})

test('when the mailbox does not exist, then it is not tried again', async () => {
  app.mailServer.refuse({ at: 'recipient', code: 550 })
  const event = registered()
  await app.publish(event)
  await eventually(app.mailServer.hasRefusedAll)
  await app.publish(event)
  expect(await mailsTo(event.data.email)).toEqual([])
  expect((await app.others.deadLetters()).map(letter => letter.id)).not.toContain(event.id)
})

describe('when another number is linked', () => {
  const replaced = (account: ReturnType<typeof newAccount>, phone: string | null, address: string) =>
    SenderReplaced.create({
      userId: account.userId,
      email: account.email,
      firstName: 'Ada',
      chat: { channel: 'whatsapp', address },
      phone,
      undoLink: 'https://voxscribe.test/undo-number?token=abc',
    })

  test('then the owner gets a mail with number, time of their zone and link, and the old chat a line', async () => {
    const account = { ...newAccount(), timeZone: 'Asia/Tokyo' }
    const old = newSource().address
    await app.register(account)
    const event = { ...replaced(account, '33612345678', old), occurredAt: '2026-11-20T23:30:00.000Z' }
    for (let time = 0; time < 2; time++) await app.publish(event)
    const { subject, text } = await app.mail(account.email, 2)
    expect(subject).toBe('Another WhatsApp number was linked to your account')
    for (const said of [
      '+33 6 12 34 56 78',
      'November 21, 2026',
      'https://voxscribe.test/undo-number?token=abc',
    ])
      expect(text).toContain(said)
    const [line] = await app.texts(old)
    expect(line).toMatch(/^Your account is now linked to the WhatsApp number \+33 6 12 34 56 78\. [^\n]+$/)
    await app.quietly(old, 1)
    expect(app.mailServer.to(account.email)).toHaveLength(2)
  })

  test('then a hidden number is named as that', async () => {
    const account = newAccount()
    const old = newSource().address
    await app.register(account)
    await app.publish(replaced(account, null, old))
    expect((await app.mail(account.email, 2)).text).toContain('hides their number')
    expect((await app.texts(old))[0]).toContain('another WhatsApp user')
  })
})

test('when WhatsApp says that a number changed, then its owner hears how to go on', async () => {
  const account = await app.register()
  const { userId, phone } = account
  await app.publish(NumberChanged.create({ userId, phone, newPhone: '33612345678' }))
  const { subject, text } = await app.mail(account.email, 2)
  expect(subject).toBe('Your WhatsApp number has changed')
  for (const said of ['+33 6 12 34 56 78', 'link code', 'https://voxscribe.test/dashboard'])
    expect(text).toContain(said)
})

test('when words have marks of WhatsApp, then they go as they were said, but not into mails and files', async () => {
  const [short, long] = [newSource(), newSource()]
  await app.publish(completed(short, { text: 'I said *no* and 2 * 3.' }))
  const [text] = await app.texts(short.address)
  expect(text).toContain('I said *\u200Dno\u200D* and 2 * 3.')
  await app.publish(completed(long, { text: '*no* '.repeat(1500) }))
  const [caption] = await app.texts(long.address)
  expect(caption).toContain('*\u200Dno\u200D*')
})

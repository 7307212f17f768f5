import {
  EmailChanged,
  NumberTakenOver,
  PasswordChanged,
  PasswordResetRequested,
  UserUpdated,
} from '@voxscribe/contracts/events'
import { eventually } from '@voxscribe/service/testing'
import { newAccount, notificationForAll, registered } from '../testing.ts'

const app = notificationForAll()

const reset = (email: string) =>
  PasswordResetRequested.create({
    userId: 'u',
    email,
    firstName: 'Ada',
    resetLink: 'https://voxscribe.test/reset-password?token=abc',
    validSeconds: 3600,
  })

/** The mails to an address after everything published before has been handled. */
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
  /** `behind`: by so many milliseconds its clock is wrong. */
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
  for (const ended of ['API keys', 'hooks were turned off', 'shared notes have ended'])
    expect(mail.text).toContain(ended)
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

test('when a number was taken over, then the one who had it is told', async () => {
  const data = { userId: 'u', phone: '12025550123', email: 'lost@example.com', firstName: 'Ada' }
  await app.publish(NumberTakenOver.create(data))
  const mail = await app.mail('lost@example.com')
  expect(mail.subject).toBe('Your WhatsApp number was linked to another account')
  expect(mail.text).toContain('+12025550123')
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

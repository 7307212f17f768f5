import { ContactMessageReceived } from '@voxscribe/contracts/events'
import { eventually } from '@voxscribe/service/testing'
import type { Schema } from 'mongoose'
import { createContactMessages } from './routes.ts'
import { notificationForAll, startNotification } from './testing.ts'

const app = notificationForAll()

const message = {
  name: 'Grace Hopper',
  email: 'grace@example.com',
  subject: 'bug',
  message: 'It\n<b>does</b> not.',
}
const contact = (
  body: unknown,
  headers: Record<string, string> = { 'content-type': 'application/json' },
  { url } = app,
) =>
  fetch(`${url}/api/contact`, {
    method: 'POST',
    headers,
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })

/** Returns the mail that support received from a sender, once it's there. */
const fromSender = (address: string) =>
  eventually(() =>
    app.mailServer.to('support@voxscribe.test').find(({ replyTo }) => replyTo.includes(address)),
  )

test('when a person writes to support, then support can reply, and the sender is informed', async () => {
  const response = await contact(message)
  expect(response.status).toBe(200)
  expect(await response.json()).toEqual({
    success: true,
    message: "Message sent successfully! We'll get back to you soon.",
    data: null,
  })
  const mail = await fromSender('grace@example.com')
  expect(mail).toMatchObject({
    subject: '[bug] Message from Grace Hopper',
    replyTo: 'Grace Hopper <grace@example.com>',
  })
  expect(mail.text).toContain('It\n<b>does</b> not.')
  expect(mail.html).not.toContain('<b>')
  const confirmation = await app.mail('grace@example.com')
  expect(confirmation.subject).toBe('We have received your message')
  expect(confirmation.text).not.toContain('does')
})

test('when a message can be mailed no more, then the database forgets it', () => {
  const outboxModel = (_name: string, schema: Schema) => schema.indexes()
  const indexes = createContactMessages({ outboxModel } as never)
  expect(indexes).toContainEqual([{ at: 1 }, expect.objectContaining({ expireAfterSeconds: 60 * 86_400 })])
})

test('when the mail server is down, then nothing is lost', async () => {
  app.mailServer.refuse({ at: 'data', code: 451 }, { at: 'data', code: 451 })
  const sender = 'patient@example.com'
  expect((await contact({ ...message, email: sender })).status).toBe(200)
  await app.mail(sender)
  const toSupport = app.mailServer.to('support@voxscribe.test')
  expect(toSupport.filter(mail => mail.replyTo.includes(sender))).toHaveLength(1)
})

test('when the same message is delivered twice, then it is mailed once', async () => {
  const event = ContactMessageReceived.create({ ...message, email: 'twice@example.com', uiLanguage: 'en' })
  await app.publish(event)
  await app.publish(event)
  await app.mail('twice@example.com')
  await contact({ ...message, email: 'after@example.com' })
  await app.mail('after@example.com')
  expect(app.mailServer.to('twice@example.com')).toHaveLength(1)
})

test('when a name tries to add headers, then it is part of the name', async () => {
  const name = 'Eve\r\nBcc: everyone@example.com'
  await contact({ ...message, name, email: 'eve@example.com' })
  const mail = await fromSender('eve@example.com')
  expect(mail.headers.map(({ name }) => name.toLowerCase())).not.toContain('bcc')
  expect(mail.subject).toContain('Eve')
  expect(app.mailServer.to('everyone@example.com')).toEqual([])
})

test.each([
  ['name', { name: ' ' }],
  ['email', { email: 'grace' }],
  ['email', { email: { $gt: '' } }],
  ['subject', { subject: 'weather' }],
  ['subject', { subject: ['bug'] }],
  ['message', { message: null }],
  ['message', { message: 'x'.repeat(10_001) }],
])('when %s is bad, then 400 names it', async (field, bad) => {
  const response = await contact({ ...message, ...bad })
  expect(response.status).toBe(400)
  expect(await response.json()).toMatchObject({ success: false, errors: [{ field }] })
})

test('when one address writes too often, then it has to wait', async () => {
  // A separate service, because the other cases come from the same address.
  const limited = await startNotification({ RATE_LIMITS: 'on', RATE_LIMIT_CONTACT: '3/1h' })
  try {
    const write = () => contact(message, undefined, limited)
    const answers = [await write(), await write(), await write(), await write()]
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429])
    expect(Number(answers[3]?.headers.get('retry-after'))).toBeGreaterThan(3000)
  } finally {
    await limited.stop()
  }
})

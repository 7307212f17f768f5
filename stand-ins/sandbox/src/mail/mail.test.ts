import { createTransport } from 'nodemailer'
import { type Both, startBoth } from '../testing/running.ts'

let both: Both
beforeEach(async () => {
  both = await startBoth({ mail: { smtpPort: 0 } })
})
afterEach(() => both.stop())

const mail = {
  from: 'Voxscribe <app@example.com>',
  to: 'Ann <Ann@example.com>',
  replyTo: 'visitor@example.com',
  subject: 'Grüße',
  text: 'Open http://app.test/reset-password?token=abc&x=1 now',
  html: '<p>Open <a href="http://app.test/reset-password?token=abc&amp;x=1">it</a></p><script>bad()</script>',
}
const deliver = () => createTransport(both.sandbox.smtpUrl).sendMail(mail)
const listed = async (to?: string) =>
  (await both.call('GET', `/api/mail${to ? `?to=${encodeURIComponent(to)}` : ''}`)).body.mails

test('when a mail is delivered, then it can be read, with its parts and links', async () => {
  await deliver()
  const [found] = await listed('ANN@example.com')
  expect(found).toMatchObject({
    subject: 'Grüße',
    from: 'app@example.com',
    to: ['ann@example.com'],
    fromShown: 'Voxscribe <app@example.com>',
    replyTo: 'visitor@example.com',
    text: expect.stringContaining('reset-password'),
    links: ['http://app.test/reset-password?token=abc&x=1'],
  })
  expect(found.headers).toContainEqual({
    name: 'To',
    value: 'Ann <Ann@example.com>',
  })
  expect(await listed('nn@example.com')).toEqual([])
})

test('when the mail is shown, then nothing in it can run or load', async () => {
  await deliver()
  const [{ id }] = await listed()
  const body = await fetch(`${both.sandbox.url}/mail/${id}/body`)
  const policy = body.headers.get('content-security-policy')
  expect(policy).toContain("default-src 'none'")
  expect(policy).toContain('sandbox allow-popups')
  expect(policy).not.toContain('allow-scripts')
  const page = await (await fetch(`${both.sandbox.url}/mail/${id}`)).text()
  expect(page).toContain('Grüße')
  expect(page).not.toContain('bad()')
})

test('when the server is down, then it refuses with 451 and keeps nothing', async () => {
  await both.call('POST', '/api/mail/faults', { down: true })
  await expect(deliver()).rejects.toMatchObject({ responseCode: 451 })
  expect(await listed()).toEqual([])
  await both.call('POST', '/api/mail/faults', { down: false })
  await deliver()
  expect(await listed()).toHaveLength(1)
})

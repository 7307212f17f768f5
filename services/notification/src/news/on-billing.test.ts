import {
  type EventOf,
  NumberTakenOver,
  QuotaUpdated,
  SubscriptionChanged,
  UserUpdated,
} from '@voxscribe/contracts/events'
import { type Account, completed, newAccount, newSource, notificationForAll, registered } from '../testing.ts'

const app = notificationForAll()

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
const PERIOD = { periodStart: inDays(-10), periodEnd: '2126-12-01T00:00:00.000Z' }

/** Sends a note from a chat, so that there is one to write to. */
async function sendNote({ userId, phone: address }: Account, attempt = 1) {
  const source = { channel: 'whatsapp', address, messageId: 'wamid.1' } as const
  await app.publish(completed(source, { userId, attempt }))
  if (attempt === 1) await app.texts(address)
}

type Quota = EventOf<'QuotaUpdated'>['data']
const quota = (userId: string, usedMinutes: number, more: Partial<Quota> = {}) =>
  QuotaUpdated.create({
    userId,
    usedSeconds: usedMinutes * 60,
    totalSeconds: 1800,
    plan: 'free',
    ...PERIOD,
    ...more,
  })
type Change = EventOf<'SubscriptionChanged'>['data']['change']
const change = (userId: string, what: Change) =>
  SubscriptionChanged.create({ userId, periodEnd: PERIOD.periodEnd, change: what })

/** Subjects of a person's mails, without the welcome, once there are this many and later events are handled. */
async function subjects(to: Account, count: number) {
  await app.mail(to.email, 1 + count)
  const marker = await app.register()
  await app.publish(quota(marker.userId, 30))
  await app.publish(change(marker.userId, 'started'))
  await app.mail(marker.email, 3)
  return app.mailServer
    .to(to.email)
    .map(mail => mail.subject)
    .slice(1)
}

test('when 80 % are used, then a mail names the day of the reset and where to get more, and the chat costs nothing', async () => {
  const account = await app.register()
  await sendNote(account)
  await app.publish(quota(account.userId, 24))
  const mail = await app.mail(account.email, 2)
  expect(mail.subject).toBe('You’ve used 80% of your minutes')
  expect(mail.text).toContain('They reset on December 1, 2126.')
  expect(mail.html).toContain('href="https://voxscribe.test/pricing"')
  await app.quietly(account.phone, 1)
})

test('when the address is not proved, then neither a warning nor money is told there, only that it is to be confirmed', async () => {
  const account = await app.register()
  const news = { ...account, provedEmail: `proved-${account.email}`, confirmToken: 'token', revision: 1 }
  await app.publish(UserUpdated.create(news))
  await app.publish(quota(account.userId, 24))
  await app.publish(change(account.userId, 'payment-failed'))
  expect(await subjects(account, 1)).toEqual(['Confirm your email address'])
})

const [EIGHTY, ALL] = ['You’ve used 80% of your minutes', 'You’ve used all your minutes']
const next = { periodStart: inDays(-1) }
test.each<[string, [minutes: number, more?: Partial<Quota>][], string[]]>([
  ['one is passed again and again', [[10], [23.9], [24], [26], [29.8], [30], [30]], [EIGHTY, ALL]],
  ['100 % comes first', [[30], [25]], [ALL]],
  ['less than a tenth of a minute is left', [[29.95]], [ALL]],
  [
    'a new period or plan begins',
    [[25], [0, next], [25, next], [900, { plan: 'monthly', totalSeconds: 60_000 }]],
    [EIGHTY, EIGHTY, EIGHTY],
  ],
  ['the period is over', [[30, { periodEnd: inDays(-1) }]], []],
])('when marks are passed and %s, then each is told once', async (_what, news, told) => {
  const account = await app.register()
  for (const [minutes, more] of news) await app.publish(quota(account.userId, minutes, more))
  expect(await subjects(account, told.length)).toEqual(told)
})

test('when many notes pass a mark at once, then it is told once', async () => {
  const account = await app.register()
  await Promise.all([24, 24.5, 25, 25.5, 26].map(minutes => app.publish(quota(account.userId, minutes))))
  expect(await subjects(account, 1)).toEqual([EIGHTY])
})

test('when the number was given up or taken over, then its chat is not written to any more', async () => {
  const account = await app.register()
  await sendNote(account)
  await app.publish(UserUpdated.create({ ...account, phone: null, revision: 1 }))
  await app.publish(UserUpdated.create({ ...account, revision: 1 }))
  await app.publish(NumberTakenOver.create({ ...account, phone: account.phone }))
  await app.mail(account.email, 2)
  await app.publish(quota(account.userId, 30))
  await app.mail(account.email, 3)
  expect(app.sentTo(account.phone)).toHaveLength(1)
})

test('when an old note is transcribed again, then its chat is not taken for the current one', async () => {
  const account = await app.register()
  await sendNote(account, 2)
  await app.publish(quota(account.userId, 30))
  expect(await subjects(account, 1)).toEqual(['You’ve used all your minutes'])
  expect(app.sentTo(account.phone)).toEqual([])
})

test('when an older change of the account comes late, then the newer address counts', async () => {
  const account = newAccount()
  await app.publish(UserUpdated.create({ ...account, email: `new-${account.email}`, revision: 2 }))
  await app.publish(UserUpdated.create({ ...account, email: `old-${account.email}`, revision: 1 }))
  await app.publish(registered(account))
  await app.mail(account.email)
  await app.publish(quota(account.userId, 30))
  expect((await app.mail(`new-${account.email}`)).subject).toBe('You’ve used all your minutes')
})

test('when the account is not known yet, then the news comes again until it is', async () => {
  const account = newAccount()
  const news = app.publish(change(account.userId, 'started'))
  await app.publish(UserUpdated.create(account))
  await news
  expect((await app.mail(account.email)).subject).toBe('Your Pro plan has started')
})

test('when the account is unknown a day later, then it was deleted, and nothing is sent', async () => {
  const account = newAccount()
  const occurredAt = inDays(-2)
  const source = newSource({ address: account.phone, claimed: true })
  await app.publish({ ...change(account.userId, 'started'), occurredAt })
  await app.publish({ ...quota(account.userId, 30), occurredAt })
  await app.publish({ ...completed(source, { userId: account.userId }), occurredAt })
  expect(await app.texts(account.phone)).toEqual([expect.stringContaining('Hello world.')])
  expect(app.mailServer.to(account.email)).toEqual([])
  expect(app.others.bus.retrying().size).toBe(0)
})

test.each<[Change, string[]]>([
  ['started', ['Your Pro plan has started']],
  ['renewed', []],
  ['cancel-scheduled', ['Your Pro plan will end']],
  ['reactivated', ['Your Pro plan continues']],
  ['ended', ['Your Pro plan has ended']],
  ['payment-failed', ['Your payment didn’t go through']],
  ['payment-recovered', ['Your payment went through']],
])('when the subscription is %s, then the mails are %j, once', async (what, expected) => {
  const account = await app.register()
  const event = change(account.userId, what)
  await app.publish(event)
  await app.publish(event)
  expect(await subjects(account, expected.length)).toEqual(expected)
})

import {
  BalanceTold,
  type ChatCommand,
  derivedId,
  QuotaUpdated,
  SenderUnknown,
} from '@voxscribe/contracts/events'
import { completed, newAccount, newSource, notificationForAll } from '../testing.ts'

const PERIOD = { periodStart: '2026-11-20T10:00:00.000Z', periodEnd: '2099-12-20T10:00:00.000Z' }
/** Any mention of an amount of minutes, a price, or where to buy. */
const LIMIT = /\d+ (free )?minutes?|minutes (left|of each)|pricing|upgrade/i

describe('when minutes have no limit', () => {
  const app = notificationForAll({ FREE_MINUTES: 'off' })

  test.each([
    ['minutes', /^Your minutes have no limit here\.$/],
    ['plan', /^There are no paid plans here\.$/],
    ['help', /\nYour transcripts: /],
    ['hint', /reply with the text\. Send “help”/],
  ] as [ChatCommand, RegExp][])('then the answer to %s names none', async (command, said) => {
    const source = newSource()
    const data = { userId: 'u1', command, remainingSeconds: null, periodEnd: PERIOD.periodEnd, source }
    await app.publish(BalanceTold.create(data))
    const [text] = await app.texts(source.address)
    expect(text).toMatch(said)
    expect(text).not.toMatch(LIMIT)
  })

  test('then a note’s text, the answer to a stranger and the welcome name none', async () => {
    const [source, stranger] = [newSource(), newSource()]
    await app.publish(completed(source, { remainingSeconds: null }))
    expect((await app.texts(source.address))[0]).not.toMatch(/left/)
    await app.publish(SenderUnknown.create({ isNote: true, noteWaits: true, source: stranger }))
    const [hello] = await app.texts(stranger.address)
    expect(hello).toContain(`1. Sign up: https://voxscribe.test/signup?phone=${stranger.address}\n`)
    const account = await app.register(newAccount())
    const welcome = await app.mail(account.email)
    expect(welcome.text).toContain('Your account is ready.')
    expect(welcome.text).not.toMatch(LIMIT)
  })
})

describe('when nothing is sold', () => {
  const app = notificationForAll({ PLANS: 'off', FREE_MINUTES: '41' })

  test('then a mail about used minutes leads to no prices, and a stranger is told the minutes', async () => {
    const account = await app.register(newAccount())
    const quota = { usedSeconds: 2400, totalSeconds: 2460, plan: 'free' as const, ...PERIOD }
    await app.publish(QuotaUpdated.create({ userId: account.userId, ...quota }, { id: derivedId('quota') }))
    const mail = await app.mail(account.email, 2)
    expect(mail.text).toContain('https://voxscribe.test/dashboard')
    expect(mail.text).not.toContain('pricing')
    const stranger = newSource()
    await app.publish(SenderUnknown.create({ isNote: true, noteWaits: true, source: stranger }))
    expect((await app.texts(stranger.address))[0]).toContain('the first 41 minutes of each month are free')
  })
})

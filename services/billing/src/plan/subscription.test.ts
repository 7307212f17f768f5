import { type Account, provisionalAccount } from '../minutes/account.ts'
import { monthsAfter } from '../minutes/months.ts'
import type { SubscriptionFacts } from '../stripe/facts.ts'
import { follow } from './subscription.ts'

const START = new Date('2026-03-10T09:00:00Z')
const later = (months: number) => monthsAfter(START, months)
const period = (months: number) => ({ start: later(months), end: later(months + 1) })

const facts = (changes: Partial<SubscriptionFacts> = {}): SubscriptionFacts => ({
  id: 'sub_1',
  customerId: 'cus_1',
  userId: 'u',
  standing: 'live',
  cancelAtPeriodEnd: false,
  cancelAt: null,
  endedAt: null,
  paidPeriod: period(0),
  price: 499,
  currency: 'usd',
  ...changes,
})
const free = { ...provisionalAccount('u', START), usedSeconds: 600 }
const paid = (): Account => ({ ...follow(free, facts(), START).account, usedSeconds: 3000 })

describe('following a subscription', () => {
  test.each([
    ['nothing of it is paid yet', { paidPeriod: null }],
    ['its first payment is on its way', { standing: 'pending', paidPeriod: null }],
    ['it is over already', { standing: 'over' }],
  ] as const)('when %s, then the free plan stays', (_when, changes) => {
    const step = follow(free, facts(changes), START)
    expect([step.account.plan, step.account.usedSeconds, step.events]).toEqual(['free', 600, []])
  })

  test('when an older period is seen after a newer one, then it gives nothing', () => {
    const renewed = { ...follow(paid(), facts({ paidPeriod: period(1) }), later(1)).account, usedSeconds: 60 }
    expect(follow(renewed, facts({ paidPeriod: period(0) }), later(1)).account).toMatchObject({
      usedSeconds: 60,
      periodEnd: later(2),
    })
  })

  test('when the news of its end comes months late, then the free month is the one of today', () => {
    const step = follow(paid(), facts({ standing: 'over', endedAt: later(1) }), later(4))
    expect([step.account.periodStart, step.account.periodEnd]).toEqual([later(4), later(5)])
  })

  test('when another subscription is bought after the end, then it counts from the beginning', () => {
    const ended = follow(paid(), facts({ standing: 'over', endedAt: START }), START).account
    const step = follow(ended, facts({ id: 'sub_2' }), START)
    expect(step.account).toMatchObject({ plan: 'monthly', subscription: { id: 'sub_2', state: 'active' } })
  })

  test('when another subscription has ended, then the account keeps its current one', () => {
    const step = follow(paid(), facts({ id: 'sub_0', standing: 'over' }), START)
    expect([step.account.subscription?.id, step.account.usedSeconds, step.events]).toEqual([
      'sub_1',
      3000,
      [],
    ])
  })
})

import {
  type Account,
  FREE_SECONDS,
  PAID_SECONDS,
  provisionalAccount,
  type Step,
} from '../minutes/account.ts'
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
const changesOf = ({ events }: Step) =>
  events.map(
    ({ data }) => (data as { change?: string; cause?: string }).change ?? (data as { cause: string }).cause,
  )
const free = { ...provisionalAccount('u', START), usedSeconds: 600 }
const paid = (): Account => ({ ...follow(free, facts(), START).account, usedSeconds: 3000 })

describe('following a subscription', () => {
  test('when its first period is paid, then the account has its minutes and Stripe’s period', () => {
    const step = follow(free, facts(), START)
    expect(step.account).toMatchObject({
      plan: 'monthly',
      totalSeconds: PAID_SECONDS,
      usedSeconds: 0,
      periodStart: START,
      periodEnd: later(1),
      customerId: 'cus_1',
    })
    expect(changesOf(step)).toEqual(['started', 'upgraded'])
  })

  test.each([
    ['nothing of it is paid yet', { paidPeriod: null }],
    ['its first payment is on its way', { standing: 'pending', paidPeriod: null }],
    ['it is over already', { standing: 'over' }],
  ] as const)('when %s, then the free plan stays', (_when, changes) => {
    const step = follow(free, facts(changes), START)
    expect([step.account.plan, step.account.usedSeconds, step.events]).toEqual(['free', 600, []])
  })

  test('when the same state is seen again, then no minutes are given again and nothing is told', () => {
    const step = follow(paid(), facts(), later(0))
    expect([step.account.usedSeconds, step.events]).toEqual([3000, []])
  })

  test('when the next period is paid, then fresh minutes begin', () => {
    const step = follow(paid(), facts({ paidPeriod: period(1) }), later(1))
    expect(step.account).toMatchObject({ usedSeconds: 0, periodStart: later(1), periodEnd: later(2) })
    expect(changesOf(step)).toEqual(['renewed', 'renewed'])
  })

  test('when an older period is seen after a newer one, then it gives nothing', () => {
    const renewed = { ...follow(paid(), facts({ paidPeriod: period(1) }), later(1)).account, usedSeconds: 60 }
    expect(follow(renewed, facts({ paidPeriod: period(0) }), later(1)).account).toMatchObject({
      usedSeconds: 60,
      periodEnd: later(2),
    })
  })

  test.each([
    ['at the end of the period', { cancelAtPeriodEnd: true, cancelAt: later(1) }],
    ['with a date, as the portal does it', { cancelAtPeriodEnd: false, cancelAt: later(1) }],
  ])(
    'when it is cancelled %s, then it is canceling, and taking that back makes it active',
    (_how, cancelled) => {
      const canceling = follow(paid(), facts(cancelled), START)
      expect([canceling.account.subscription?.state, changesOf(canceling)]).toEqual([
        'canceling',
        ['cancel-scheduled'],
      ])
      const back = follow(canceling.account, facts(), START)
      expect([back.account.subscription?.state, changesOf(back)]).toEqual(['active', ['reactivated']])
      expect(back.account.usedSeconds).toBe(3000)
    },
  )

  test('when a renewal fails, then access and minutes stay, with a payment problem until paid', () => {
    const late = follow(paid(), facts({ standing: 'late' }), later(1))
    expect(late.account).toMatchObject({
      plan: 'monthly',
      usedSeconds: 3000,
      subscription: { state: 'active', paymentProblem: true },
    })
    expect(changesOf(late)).toEqual(['payment-failed'])
    const recovered = follow(late.account, facts({ paidPeriod: period(1) }), later(1))
    expect(recovered.account).toMatchObject({ usedSeconds: 0, subscription: { paymentProblem: false } })
    expect(changesOf(recovered)).toEqual(['payment-recovered', 'renewed'])
  })

  test('when it ends, then a fresh free month begins at its end', () => {
    const endedAt = later(1)
    const step = follow(paid(), facts({ standing: 'over', endedAt }), new Date(endedAt.getTime() + 3_600_000))
    expect(step.account).toMatchObject({
      plan: 'free',
      totalSeconds: FREE_SECONDS,
      usedSeconds: 0,
      periodStart: endedAt,
      periodEnd: later(2),
      subscription: { state: 'ended' },
    })
    expect(changesOf(step)).toEqual(['ended', 'downgraded'])
    expect(follow(step.account, facts({ standing: 'over', endedAt }), later(1)).events).toEqual([])
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

import { paidPeriod } from './period.ts'

const session = {
  id: 'cs_1',
  paymentStatus: 'paid',
  currency: 'usd',
  amountTotal: 4.99,
  createdAt: '2026-11-20T10:00:00.000Z',
}

describe('when a payment is shown', () => {
  test('then its period is the subscription’s', () => {
    const subscription = {
      currentPeriodStart: '2026-11-21T00:00:00.000Z',
      currentPeriodEnd: '2026-12-21T00:00:00.000Z',
    }
    expect(paidPeriod({ session, subscription })).toEqual({
      start: subscription.currentPeriodStart,
      end: subscription.currentPeriodEnd,
    })
  })
  test('and no period is known, then it is 30 days from the session’s creation', () => {
    expect(paidPeriod({ session, subscription: null })).toEqual({
      start: session.createdAt,
      end: '2026-12-20T10:00:00.000Z',
    })
  })
  test('and not even that, then it has no end', () => {
    expect(paidPeriod({ session: { ...session, createdAt: '' }, subscription: null })).toEqual({
      start: '',
      end: '',
    })
  })
})

import { provisionalAccount } from '../minutes/account.ts'
import { factsFrom } from '../testing/facts.ts'
import { follow } from './subscription.ts'

const START = new Date('2026-03-10T09:00:00Z')
const free = { ...provisionalAccount('u', START, 1800), usedSeconds: 600 }
const paid = { ...follow(free, factsFrom(START, 1), START).account, usedSeconds: 3000 }

test.each([
  ['nothing of it is paid yet', free, factsFrom(START, 0, { paidPeriod: null })],
  ['an older period is seen after a newer one', paid, factsFrom(START, 0)],
  ['another subscription has ended', paid, factsFrom(START, 1, { id: 'sub_0', standing: 'over' })],
])('when %s, then it gives and ends nothing', (_when, before, facts) => {
  const { account, events } = follow(before, facts, START)
  const { customerId, stripeRevision } = account
  expect([account, events]).toEqual([{ ...before, customerId, stripeRevision }, []])
})

test('when another subscription is bought after the end, then it counts from the beginning', () => {
  const ended = follow(paid, factsFrom(START, 1, { standing: 'over', endedAt: START }), START).account
  const { account } = follow(ended, factsFrom(START, 0, { id: 'sub_2' }), START)
  expect(account).toMatchObject({ plan: 'monthly', subscription: { id: 'sub_2', state: 'active' } })
})

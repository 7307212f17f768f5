import { leaveEmail, restoreEmail } from './former-emails.ts'
import type { FormerEmail, User } from './users.ts'

const ADDRESSES = ['a', 'b', 'c', 'd'].map(name => `${name}@example.com`)
const start = {
  _id: 'u1',
  firstName: 'Ada',
  email: ADDRESSES[0],
  provedEmail: ADDRESSES[0],
  formerEmails: [],
} as Partial<User> as User

interface Step {
  to: string
  /** Whether the new address opens one of our links before the account leaves it. */
  proves: boolean
}

/** All paths over at most this many further addresses. */
function ways(from: string, count: number): Step[][] {
  if (!count) return [[]]
  const steps = ADDRESSES.filter(to => to !== from).flatMap(to => [
    { to, proves: true },
    { to, proves: false },
  ])
  return [[], ...steps.flatMap(step => ways(step.to, count - 1).map(rest => [step, ...rest]))]
}

function walk(way: Step[]) {
  let user = start
  /** The addresses that count, oldest first. */
  const proved = [user.email]
  for (const { to, proves } of way) {
    const { change } = leaveEmail('https://voxscribe.example', user, to)
    user = { ...user, ...change, email: to, ...(proves && { provedEmail: to }) }
    // A return to one of them removes all newer ones.
    if (proved.includes(to)) proved.length = proved.indexOf(to) + 1
    else if (proves) proved.push(to)
  }
  return { user, proved }
}

const emailsOf = (former: FormerEmail[]) => [...new Set(former.map(({ email }) => email))]

test('whatever way an address goes, then the older proved ones, and no others, have a link', () => {
  const all = ways(start.email, 4)
  expect(all).toHaveLength(1 + 6 + 36 + 216 + 1296)
  for (const way of all) {
    const { user, proved } = walk(way)
    const older = proved.filter(email => email !== user.email)
    expect([way, emailsOf(user.formerEmails).filter(email => email !== user.email)]).toEqual([way, older])
    for (const { tokenHash, email } of user.formerEmails) {
      const back = restoreEmail(user, tokenHash)
      expect(back.email).toBe(email)
      expect(emailsOf(back.formerEmails)).toEqual(proved.slice(0, proved.indexOf(email)))
    }
  }
})

import { InviteBody } from '@voxscribe/contracts/http'
import { type AdminCall, checked, type Figures, refusal } from '@voxscribe/service'
import { z } from 'zod'
import type { Deps } from '../deps.ts'
import { changeAccount } from './account.ts'
import { eraseAccount } from './erasure.ts'
import type { Users } from './users.ts'
import { changeAsRead, type User } from './users.ts'

const Who = z.object({ who: z.string().trim().min(1).max(200) })
const WhoAndWhy = Who.extend({ reason: z.string().trim().min(1, 'Give a reason.').max(500) })

/** Operator calls: find, block, unblock and erase accounts, end connections, and invite people to open an account. */
export function createOperatorCalls(deps: Deps): Record<string, AdminCall> {
  const find = async (body: unknown) => presentUser(await findUser(deps.users, checked(Who, body).who))
  async function block(who: string, reason: string | null) {
    const { _id } = await findUser(deps.users, who)
    return presentUser(await setBlocked(deps, () => findUser(deps.users, _id), reason))
  }
  return {
    find,
    block: async body => {
      const { who, reason } = checked(WhoAndWhy, body)
      return block(who, reason)
    },
    /** Erases the account as its owner could. */
    erase: async body => {
      const { who } = checked(WhoAndWhy, body)
      const user = await findUser(deps.users, who)
      await eraseAccount(deps, user)
      return { userId: user._id }
    },
    /** Returns a sign-up link for this address. */
    invite: async body => {
      const { email } = checked(InviteBody, body)
      if (deps.signUp !== 'invited') throw refusal('invitations_off')
      return deps.invitations.inviteAsOperator(email)
    },
    figures: async () => ({ figures: await figuresOf(deps) }),
    /** Ends the connected programs of one person, or of everyone (`all`). */
    disconnect: async body => {
      const { who } = checked(Who, body)
      const userId = who === 'all' ? undefined : (await findUser(deps.users, who))._id
      return { ended: await deps.oauth.endAllOf(userId) }
    },
    unblock: async body => block(checked(Who, body).who, null),
  }
}

const WEEK_MS = 7 * 86_400_000
/** Open invitations beyond this number are only counted. */
const SHOWN = 20

async function figuresOf({ users, invitations, signUp }: Deps): Promise<Figures> {
  const [accounts, linked, blocked, recent, open] = await Promise.all([
    users.count(),
    users.count({ linked: true }),
    users.count({ blocked: { $ne: null } }),
    users.count({ createdAt: { $gte: new Date(Date.now() - WEEK_MS) } }),
    invitations.ends(),
  ])
  const ends = open
    .slice(0, SHOWN)
    .map(({ at, isOperators }, n) => [
      `${n + 1}. ${isOperators ? 'by the operator' : 'by a person'}`,
      `until ${at.toISOString().slice(0, 10)}`,
    ])
  return {
    People: { accounts, 'opened within a week': recent, 'with a linked number': linked, blocked },
    Invitations: { 'new accounts': signUp, open: open.length, ...Object.fromEntries(ends) },
  }
}

/** Finds an account by its id, e-mail address, link code, or WhatsApp number with the country's code. Throws 404. */
async function findUser(users: Users, who: string): Promise<User> {
  const digits = who.replace(/^00/, '+').replaceAll(/[\s()./-]/g, '')
  const user = who.includes('@')
    ? await users.byEmail(who.toLowerCase())
    : /^VX-/i.test(who)
      ? await users.byLinkCode(who.toUpperCase())
      : /^\+?\d{7,15}$/.test(digits)
        ? await users.byPhone(digits.replace('+', ''))
        : await users.byId(who.toLowerCase())
  if (!user) throw refusal('no_account')
  return user
}

const presentUser = (user: User) => ({
  userId: user._id,
  name: `${user.firstName} ${user.lastName}`,
  email: user.email,
  number: user.phone ? `+${user.phone}` : null,
  linked: user.linked,
  linkCode: user.linkCode,
  blocked: user.blocked ? { at: user.blocked.at.toISOString(), reason: user.blocked.reason } : null,
  createdAt: user.createdAt.toISOString(),
})

/** Blocks an account, which ends its sessions and invitations and bars its keys; null lifts the block. Idempotent. */
async function setBlocked(
  { users, sessions, invitations }: Pick<Deps, 'users' | 'sessions' | 'invitations'>,
  read: () => Promise<User>,
  reason: string | null,
): Promise<User> {
  const after = await changeAsRead(read, async user => {
    if (Boolean(user.blocked) === (reason !== null)) return user
    const blocked = reason === null ? null : { at: new Date(), reason }
    return changeAccount(users, user, { blocked })
  })
  if (!after.blocked) return after
  await sessions.endAllOf(after._id)
  await invitations.endAllOf(after._id)
  return after
}

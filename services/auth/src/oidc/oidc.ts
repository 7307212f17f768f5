import { SignInLinkRequested } from '@voxscribe/contracts/events'
import type { OidcNext } from '@voxscribe/contracts/http'
import { currentTrace, invalidField, newSecret } from '@voxscribe/service'
import { changeAccount, masked } from '../accounts/account.ts'
import { accountBlocked } from '../accounts/account-blocked.ts'
import { beginGeneration, proofOfMailbox } from '../accounts/generations.ts'
import { changeAsRead, type User, type UserChange } from '../accounts/users.ts'
import type { Deps } from '../deps.ts'
import type { Identified } from '../sessions/passes.ts'
import { signIn } from '../sessions/sign-in.ts'
import type { Provided } from './provider.ts'

const TICKET_MS = 600_000
const LINK_SECONDS = 3_600

/** Returns the account of a person who has signed in at the provider, or a ticket for the step that is left. */
export async function accountOf(deps: Deps, provided: Provided): Promise<{ user: User } | OidcNext> {
  const { users, passes, supportEmail } = deps
  const { identity, email, firstName, lastName } = provided
  const user = await users.byIdentity(identity)
  if (user?.blocked) throw accountBlocked(supportEmail)
  if (user) return { user }
  const ticket = newSecret()
  await passes.add('ticket', ticket, TICKET_MS, { identity, email })
  if (email && (await users.byEmail(email))) return { next: 'link', ticket, email: masked(email) }
  return { next: 'register', ticket, email, first_name: firstName, last_name: lastName }
}

/** Links the ticket's identity to the account with its address, proved by the password. */
export async function linkByPassword(
  deps: Deps,
  text: string,
  password: string,
  cookies: string | undefined,
) {
  const ticket = await linkable(deps, text)
  const { user, device } = await signIn(deps, { email: ticket.email, password, cookies })
  const proof = () => ({ mailbox: ticket.email })
  return { user: await link(deps, ticket, user._id, 'ticket', proof), device }
}

/** Mails a link to the account with the ticket's address, to prove its mailbox. Does nothing if the account is gone. */
export async function mailLink(deps: Deps, text: string): Promise<void> {
  const ticket = await linkable(deps, text)
  await deps.limits.forgotOfAccount.count(ticket.email)
  const user = await deps.users.byEmail(ticket.email)
  if (!user) return
  const { _id: userId, email, firstName } = user
  const token = newSecret()
  const about = { identity: ticket.identity, email, userId }
  await deps.passes.add('token', token, LINK_SECONDS * 1000, about)
  const mail = {
    ...{ userId, email, firstName, provider: deps.provider?.name ?? '' },
    link: `${deps.publicUrl}/link-sign-in?token=${token}`,
    validSeconds: LINK_SECONDS,
  }
  await deps.users.publish(userId, SignInLinkRequested.create(mail, { traceId: currentTrace() }))
}

/**
 * Links the identity in a mailed link to the account that the link was mailed to. The first proof of its mailbox ends all
 * other ways in, because a stranger may have made them.
 */
export async function linkByMail(deps: Deps, token: string, cookies?: string): Promise<User> {
  const ticket = await deps.passes.identified('token', token)
  return link(deps, ticket, ticket.userId ?? '', 'token', user => proofOfMailbox(deps, user, cookies))
}

async function linkable({ passes }: Deps, text: string) {
  const { email, ...ticket } = await passes.identified('ticket', text)
  // The provider hasn't verified the address.
  if (!email) throw invalidField('ticket', 'link_expired')
  return { ...ticket, email }
}

async function link(
  deps: Deps,
  ticket: Identified,
  userId: string,
  field: 'ticket' | 'token',
  proofOf: (user: User) => UserChange,
): Promise<User> {
  const { users, passes, supportEmail } = deps
  const over = () => invalidField(field, 'link_expired')
  async function account() {
    const user = await users.byId(userId)
    // A link mailed to an address that the account has left proves nothing.
    if (user?.email !== ticket.email) throw over()
    if (user.blocked) throw accountBlocked(supportEmail)
    return user
  }
  const isFirst = proofOf(await account()).linked === false
  if (!(await passes.use(ticket))) throw over()
  const { identity } = ticket
  const linked = isFirst
    ? await beginGeneration(deps, 'password', account, user => ({
        change: { ...proofOf(user), passwordHash: '', identities: [identity] },
      }))
    : await changeAsRead(account, user => {
        const identities = [...new Set([...(user.identities ?? []), identity])]
        return changeAccount(users, user, { ...proofOf(user), identities })
      })
  await passes.endAllOf({ identity })
  return linked
}

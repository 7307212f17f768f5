import { invalidField, isSame } from '@voxscribe/service'
import type { Deps } from '../deps.ts'
import { changeAccount } from './account.ts'
import { changeAsRead } from './users.ts'

/** Notes that the address in use has opened our link. Idempotent; throws 400 for a link to another address. */
export async function confirmEmail({ users }: Deps, token: string): Promise<void> {
  const [userId = '', secret = ''] = token.split('.')
  const withToken = async () => {
    const user = await users.byId(userId)
    if (!user?.confirmToken || !isSame(secret, user.confirmToken)) throw invalidField('token', 'link_expired')
    return user
  }
  await changeAsRead(withToken, async user =>
    user.provedEmail === user.email ? user : changeAccount(users, user, { provedEmail: user.email }),
  )
}

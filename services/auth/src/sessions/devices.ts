import { createHmac, createPrivateKey, hkdfSync, randomUUID } from 'node:crypto'
import { hashOf, isSame } from '@voxscribe/service'
import type { User } from '../accounts/users.ts'

const YEAR_SECONDS = 365 * 86_400

type Account = Pick<User, '_id' | 'passwordGeneration'>

/**
 * Signed cookies of browsers that have signed in to an account. Wrong passwords from such a browser are counted
 * separately, so that strangers can't lock the owner out by guessing. A cookie is valid for one account, until its next
 * password.
 */
export function createDevices(privateKeyPem: string, publicUrl: string) {
  const secret = createPrivateKey(privateKeyPem).export({ type: 'pkcs8', format: 'der' })
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'voxscribe device cookie', 32))
  const secure = publicUrl.startsWith('https:') ? '; Secure' : ''
  const nameFor = ({ _id }: Account) => `voxscribe_device_${hashOf(_id).slice(0, 12)}`
  const signatureOf = ({ _id, passwordGeneration }: Account, device: string) =>
    createHmac('sha256', key).update(`${_id} ${passwordGeneration} ${device}`).digest('base64url')

  return {
    /** Returns the id of a browser that has signed in to the account; undefined for any other. */
    known: (account: Account, cookies = ''): string | undefined => {
      const start = `${nameFor(account)}=`
      const value = cookies.split(/; */).find(cookie => cookie.startsWith(start))
      const [device = '', signature = ''] = value?.slice(start.length).split('.') ?? []
      return isSame(signature, signatureOf(account, device)) ? device : undefined
    },

    /** Returns the `Set-Cookie` header for a browser that has just signed in. */
    cookieFor: (account: Account, device: string = randomUUID()): string =>
      `${nameFor(account)}=${device}.${signatureOf(account, device)}` +
      `; Path=/api/auth; Max-Age=${YEAR_SECONDS}; HttpOnly; SameSite=Lax${secure}`,
  }
}

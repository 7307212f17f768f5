import { type Documents, hashOf, newSecret, schemaOf } from '@voxscribe/service'
import { z } from 'zod'

const ATTEMPT_SECONDS = 600

/** A sign-in that has left for the provider. */
const Attempt = z.object({
  /** The state's hash. */
  _id: z.string(),
  /** The hash of the secret in the browser's cookie. */
  nonce: z.string(),
  expiresAt: z.date(),
})
type Attempt = z.infer<typeof Attempt>

const attemptSchema = schemaOf(Attempt).index({ expiresAt: 1 }, { expireAfterSeconds: 0 })

/** Keeps the sign-ins that have left for the provider: each is for its browser, once and for ten minutes. */
export function createAttempts(documents: Documents) {
  const attempts = documents.model<Attempt>('oidc_attempts', attemptSchema, {
    owner: null,
    because: 'of somebody not known yet, for ten minutes',
  })
  return {
    /** Returns what goes to the provider, and what stays with the browser: the verifier of PKCE, and its cookie. */
    async begin(publicUrl: string) {
      const [state, verifier] = [newSecret(), newSecret()]
      const nonce = hashOf(verifier)
      await attempts.create({
        _id: hashOf(state),
        nonce,
        expiresAt: new Date(Date.now() + ATTEMPT_SECONDS * 1000),
      })
      const secure = publicUrl.startsWith('https:') ? '; Secure' : ''
      const cookie = `${cookieNameOf(state)}=${verifier}; Path=/api/auth/oidc; Max-Age=${ATTEMPT_SECONDS}; HttpOnly; SameSite=Lax${secure}`
      return { state, nonce, verifier, cookie }
    },
    /** Uses an attempt up; undefined unless it was this browser's, in time. */
    async use(state: string, cookies = '') {
      const start = `${cookieNameOf(state)}=`
      const cookie = cookies.split(/; */).find(each => each.startsWith(start)) ?? start
      const verifier = cookie.slice(start.length)
      const nonce = hashOf(verifier)
      const isOpen = { _id: hashOf(state), nonce, expiresAt: { $gt: new Date() } }
      return (await attempts.deleteOne(isOpen)).deletedCount === 1 ? { nonce, verifier } : undefined
    },
  }
}

/** Each attempt has a cookie, so that several tabs can be on their way. */
const cookieNameOf = (state: string): string => `voxscribe_oidc_${hashOf(state).slice(0, 12)}`

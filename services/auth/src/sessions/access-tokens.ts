import { createPrivateKey } from 'node:crypto'
import { keyId, TOKEN_AUDIENCE, TOKEN_ISSUER } from '@voxscribe/service'
import jsonwebtoken from 'jsonwebtoken'
import type { User } from '../accounts/users.ts'

/** Signs access tokens with the private key that only this service has. */
export function createAccessTokens(privateKeyPem: string, ttlMs: number) {
  const privateKey = createPrivateKey(privateKeyPem)
  const keyid = keyId(privateKey)
  return {
    /** Issues a token for a session (`sid`; `jti`: the renewal that issued it), or for an API key. */
    issue: (
      { _id, generation }: Pick<User, '_id' | 'generation'>,
      bearer: { sid: string; jti?: string } | { key: string },
    ): string =>
      jsonwebtoken.sign({ gen: generation, ...bearer }, privateKey, {
        algorithm: 'ES256',
        keyid,
        issuer: TOKEN_ISSUER,
        audience: TOKEN_AUDIENCE,
        subject: _id,
        expiresIn: Math.round(ttlMs / 1000),
      }),
  }
}

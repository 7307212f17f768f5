import { createPrivateKey, createPublicKey } from 'node:crypto'
import { keyId, publicJwk, TOKEN_AUDIENCE, TOKEN_ISSUER } from '@voxscribe/service'
import jsonwebtoken from 'jsonwebtoken'

/** Signs access tokens with the private key that only this service has. */
export function createAccessTokens(privateKeyPem: string, ttlMs: number) {
  const privateKey = createPrivateKey(privateKeyPem)
  const publicKey = createPublicKey(privateKey)
  const kid = keyId(publicKey)
  return {
    issue: (userId: string): string =>
      jsonwebtoken.sign({}, privateKey, {
        algorithm: 'ES256',
        keyid: kid,
        issuer: TOKEN_ISSUER,
        audience: TOKEN_AUDIENCE,
        subject: userId,
        expiresIn: Math.round(ttlMs / 1000),
      }),
    /** What other services may check tokens with (RFC 7517). */
    keySet: { keys: [{ ...publicJwk(publicKey), kid, use: 'sig', alg: 'ES256' }] },
  }
}
export type AccessTokens = ReturnType<typeof createAccessTokens>

import { createHash, createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto'
import jsonwebtoken from 'jsonwebtoken'
import { unauthorized } from './problem.ts'

export const TOKEN_ISSUER = 'voxscribe'
export const TOKEN_AUDIENCE = 'voxscribe-api'

/** RFC 7638 thumbprint of an EC public key, the same in every service. */
export function keyId(key: KeyObject): string {
  const { crv, kty, x, y } = publicJwk(key)
  return createHash('sha256').update(JSON.stringify({ crv, kty, x, y })).digest('base64url')
}

/** The public half as a JWK (RFC 7517). */
export const publicJwk = (key: KeyObject): JsonWebKey =>
  (key.type === 'private' ? createPublicKey(key) : key).export({ format: 'jwk' })

/** Several keys may be given one after another, while a new key replaces an old one. */
const publicKeys = (pem: string): KeyObject[] =>
  (pem.match(/-----BEGIN [^-]+-----[^-]+-----END [^-]+-----/g) ?? []).map(part => createPublicKey(part))

/** Whether tokens can be checked with this: one public key on P-256 or several, and no private one. */
export function arePublicKeys(pem: string): boolean {
  try {
    const curves = publicKeys(pem).map(key => key.asymmetricKeyDetails?.namedCurve)
    return curves.length > 0 && curves.every(curve => curve === 'prime256v1') && !pem.includes('PRIVATE KEY')
  } catch {
    return false
  }
}

export type TokenCheck = (authorization: string | undefined) => string

/**
 * Checks `Authorization: Bearer …` and returns the user's id. Only ES256 with one of the keys, our issuer and our
 * audience count. Throws 401 `Unauthorized` or `Token expired`.
 */
export function createTokenCheck(publicKeyPem: string): TokenCheck {
  const keys = new Map(publicKeys(publicKeyPem).map(key => [keyId(key), key]))
  return authorization => {
    const [scheme, token] = authorization?.split(' ') ?? []
    if (scheme?.toLowerCase() !== 'bearer' || !token) throw unauthorized()
    const key = keys.get(jsonwebtoken.decode(token, { complete: true })?.header.kid ?? '')
    if (!key) throw unauthorized()
    return subjectOf(token, key)
  }
}

/** Returns when a checked token expires; undefined when it does not say. */
export function endOfToken(authorization: string | undefined): Date | undefined {
  const claims = jsonwebtoken.decode(authorization?.split(' ')[1] ?? '')
  return typeof claims === 'object' && claims?.exp ? new Date(claims.exp * 1000) : undefined
}

function subjectOf(token: string, key: KeyObject): string {
  try {
    const claims = jsonwebtoken.verify(token, key, {
      algorithms: ['ES256'],
      issuer: TOKEN_ISSUER,
      audience: TOKEN_AUDIENCE,
    })
    if (typeof claims === 'string' || !claims.exp) throw unauthorized()
    if (!claims.sub || typeof claims.sub !== 'string') throw unauthorized()
    return claims.sub
  } catch (error) {
    if (error instanceof jsonwebtoken.TokenExpiredError) throw unauthorized('Token expired', 'token_expired')
    throw unauthorized()
  }
}

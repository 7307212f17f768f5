import type { KeyObject } from 'node:crypto'
import jsonwebtoken from 'jsonwebtoken'
import { z } from 'zod'
import { keyId, publicKeys } from '../settings/keys.ts'
import { refusal } from './problem.ts'

export const TOKEN_ISSUER = 'voxscribe'
export const TOKEN_AUDIENCE = 'voxscribe-api'

export interface AccessClaims {
  userId: string
  /** The account's generation when the token was issued. */
  generation: number
  expiresAt: Date
  sessionId?: string | undefined
  /** API key for which the token was issued. */
  keyId?: string | undefined
}

/** An account's generations; unset: 0. */
interface Generations {
  generation?: number | undefined
  passwordGeneration?: number | undefined
}

/** Whether a token's generation is older than its account's; tokens of API keys last as long as the password. */
export const isOutdated = (
  { generation, keyId }: AccessClaims,
  { generation: begun = 0, passwordGeneration = 0 }: Generations,
): boolean => generation < (keyId ? passwordGeneration : begun)

export type TokenCheck = (authorization: string | undefined) => AccessClaims
/** A token check that also looks at the account. */
export type Admission = (
  authorization: string | undefined,
  whileBlocked?: boolean,
) => AccessClaims | Promise<AccessClaims>

/** Nothing follows the token (RFC 6750, section 2.1). */
const BEARER = /^Bearer +([\w.~+/-]+=*)$/i

/**
 * Checks `Authorization: Bearer …` and returns the claims. Accepts only ES256 with one of the keys, our issuer and our
 * audience. Throws 401 `Unauthorized` or `Token expired`.
 */
export function createTokenCheck(publicKeyPem: string): TokenCheck {
  const keys = new Map(publicKeys(publicKeyPem).map(key => [keyId(key), key]))
  return authorization => {
    const [, token = ''] = BEARER.exec(authorization ?? '') ?? []
    const key = keys.get(jsonwebtoken.decode(token, { complete: true })?.header.kid ?? '')
    if (!key) throw refusal('unauthorized')
    return claimsOf(token, key)
  }
}

function claimsOf(token: string, key: KeyObject): AccessClaims {
  try {
    const claims = jsonwebtoken.verify(token, key, {
      algorithms: ['ES256'],
      issuer: TOKEN_ISSUER,
      audience: TOKEN_AUDIENCE,
    })
    const { sub, gen, exp, sid: sessionId, key: keyId } = Claims.parse(claims)
    return { userId: sub, generation: gen, expiresAt: new Date(exp * 1000), sessionId, keyId }
  } catch (error) {
    if (error instanceof jsonwebtoken.TokenExpiredError) throw refusal('token_expired')
    throw refusal('unauthorized')
  }
}

/** Returns the renewal that issued an access token; undefined for a token of a sign-in or key. Checks nothing. */
export function renewalIn(authorization = ''): { sessionId: string; renewal: string } | undefined {
  const { sid, jti } = jsonwebtoken.decode(BEARER.exec(authorization)?.[1] ?? '', { json: true }) ?? {}
  return typeof sid === 'string' && typeof jti === 'string' ? { sessionId: sid, renewal: jti } : undefined
}

const Claims = z.object({
  sub: z.string().min(1),
  gen: z.int(),
  exp: z.number(),
  sid: z.string().optional(),
  key: z.string().optional(),
})

import { createPrivateKey, createPublicKey, generateKeyPairSync, sign } from 'node:crypto'
import jsonwebtoken, { type SignOptions } from 'jsonwebtoken'
import { keyId } from '../settings/keys.ts'
import { testKeys, tokenFor } from '../testing.ts'
import { createTokenCheck, TOKEN_AUDIENCE, TOKEN_ISSUER } from './tokens.ts'

const ours = createPrivateKey(testKeys.privateKey)
const other = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
const check = createTokenCheck(testKeys.publicKey)
const good: SignOptions = {
  algorithm: 'ES256',
  keyid: keyId(ours),
  issuer: TOKEN_ISSUER,
  audience: TOKEN_AUDIENCE,
  subject: 'u1',
  expiresIn: 60,
}
const signed = (options: SignOptions, key = ours) => `Bearer ${jsonwebtoken.sign({ gen: 3 }, key, options)}`
const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
/** Needed because jsonwebtoken refuses to sign some claims. */
function signedByHand(payload: object): string {
  const text = `${part({ alg: 'ES256', kid: keyId(ours) })}.${part(payload)}`
  const signature = sign('sha256', Buffer.from(text), { key: ours, dsaEncoding: 'ieee-p1363' })
  return `${text}.${signature.toString('base64url')}`
}
const claims = {
  sub: 'u1',
  gen: 3,
  iss: TOKEN_ISSUER,
  aud: TOKEN_AUDIENCE,
  exp: Math.floor(Date.now() / 1000) + 60,
}

test('when a token is ours, then its claims are returned', () => {
  const token = signed(good)
  const { exp = 0 } = jsonwebtoken.decode(token.replace('Bearer ', '')) as jsonwebtoken.JwtPayload
  expect(check(token)).toMatchObject({ userId: 'u1', generation: 3, expiresAt: new Date(exp * 1000) })
  expect(check(tokenFor('u1').replace('Bearer ', 'bearer  ')).userId).toBe('u1')
})

test.each([
  ['nothing', undefined],
  ['another scheme', `Basic ${part('x')}`],
  ['no token', 'Bearer '],
  ['rubbish', 'Bearer a.b.c'],
  ['alg none', `Bearer ${part({ alg: 'none', kid: keyId(ours) })}.${part(claims)}.`],
  [
    'HS256 with the public key as the secret',
    `Bearer ${jsonwebtoken.sign(claims, Buffer.from(testKeys.publicKey), { algorithm: 'HS256', keyid: keyId(ours) })}`,
  ],
  ['another audience', signed({ ...good, audience: 'someone-else' })],
  ['another issuer', signed({ ...good, issuer: 'someone-else' })],
  ['a word after the token', `${signed(good)} x`],
  ['a token after the token', `${signed(good)} ${signed(good).slice(7)}`],
  ['a comma and more', `${signed(good)}, Basic x`],
  ['no generation', `Bearer ${signedByHand({ ...claims, gen: undefined })}`],
  ['a generation that is no number', `Bearer ${signedByHand({ ...claims, gen: '3' })}`],
  ['no end', `Bearer ${signedByHand({ ...claims, exp: undefined })}`],
  ['a filter for a subject', `Bearer ${signedByHand({ ...claims, sub: { $gt: '' } })}`],
  ['another key under our id', signed(good, other)],
  ['another key under its own id', signed({ ...good, keyid: keyId(createPublicKey(other)) }, other)],
])('when there is %s, then it is refused', (_what, authorization) => {
  expect(() => check(authorization)).toThrow('Unauthorized')
})

test('when a token has run out, then that is said, for the client renews it', () => {
  expect(() => check(signed({ ...good, expiresIn: -1 }))).toThrow('Token expired')
})

test('when two keys are valid while one replaces the other, then tokens of both are', () => {
  const both = createTokenCheck(
    testKeys.publicKey + createPublicKey(other).export({ type: 'spki', format: 'pem' }).toString(),
  )
  expect(both(signed(good)).userId).toBe('u1')
  expect(both(signed({ ...good, keyid: keyId(createPublicKey(other)) }, other)).userId).toBe('u1')
})

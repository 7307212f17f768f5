import { createHash, createPublicKey, type KeyObject } from 'node:crypto'

/** Returns the RFC 7638 thumbprint of an EC key's public half, which is the same in every service. */
export function keyId(key: KeyObject): string {
  const { crv, kty, x, y } = key.export({ format: 'jwk' })
  return createHash('sha256').update(JSON.stringify({ crv, kty, x, y })).digest('base64url')
}

/** Parses one or more keys: there are several while a new key replaces an old one. */
export const publicKeys = (pem: string): KeyObject[] =>
  (pem.match(/-----BEGIN [^-]+-----[^-]+-----END [^-]+-----/g) ?? []).map(part => createPublicKey(part))

/** Whether all keys are on P-256, as ES256 requires; OpenSSL calls that curve prime256v1. */
export function areOnP256(read: () => KeyObject[]): boolean {
  try {
    const curves = read().map(key => key.asymmetricKeyDetails?.namedCurve)
    return curves.length > 0 && curves.every(curve => curve === 'prime256v1')
  } catch {
    return false
  }
}

/** Whether tokens can be checked with this PEM: it has one or more public keys, and no private one. */
export const arePublicKeys = (pem: string): boolean =>
  areOnP256(() => publicKeys(pem)) && !pem.includes('PRIVATE KEY')

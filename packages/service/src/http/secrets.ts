import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

/** Returns 256 random bits as text that is safe in a URL. */
export const newSecret = (): string => randomBytes(32).toString('base64url')

/** Returns the hash of a secret to store. It needn't be slow: unlike a password, a random secret can't be guessed. */
export const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('base64url')

/** Compares a secret or signature in constant time, for any lengths. */
export const isSame = (given: string, expected: string): boolean =>
  timingSafeEqual(Buffer.from(hashOf(given)), Buffer.from(hashOf(expected)))

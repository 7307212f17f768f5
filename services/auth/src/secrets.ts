import { createHash, randomBytes } from 'node:crypto'

/** 256 random bits as text that may stand in a link. */
export const newSecret = (): string => randomBytes(32).toString('base64url')

/** Returns the hash that is kept of a secret. No one can guess one, so unlike a password it needs no slow hash. */
export const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('base64url')

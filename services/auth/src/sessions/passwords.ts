import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import { openOnce } from '@voxscribe/service'
import PQueue from 'p-queue'

/** OWASP's Password Storage Cheat Sheet: argon2id (the library's default), 19 MiB, 2 passes, 1 lane. */
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** Hashing occupies a core for 20 ms; one core stays free for other requests. */
const hashing = new PQueue({ concurrency: Math.max(1, availableParallelism() - 1) })

/** Normalizes what different keyboards type for the same password: RFC 8265, 4.2.2. */
const typed = (password: string): string => password.replace(/\p{Zs}/gu, ' ').normalize('NFC')

export const hashPassword = (password: string): Promise<string> =>
  hashing.add(() => hash(typed(password), PARAMETERS))

/** Compared with if there is no account, for equal timing. Made before the first comparison, not at startup. */
const dummyHash = openOnce(() => hashPassword('no one has this password'))

/** Whether the password matches the hash; false for a missing or empty hash. */
export async function isPassword(password: string, passwordHash: string | undefined): Promise<boolean> {
  const fallback = await dummyHash()
  const isRight = await hashing.add(() => verify(passwordHash || fallback, typed(password)))
  return isRight && Boolean(passwordHash)
}

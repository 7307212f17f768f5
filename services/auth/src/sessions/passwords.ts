import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import { openOnce } from '@voxscribe/service'
import PQueue from 'p-queue'

/** OWASP's Password Storage Cheat Sheet: argon2id (the library's default), 19 MiB, 2 passes, 1 lane. */
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** Hashing takes a whole core for 20 ms: one core stays free for other requests. */
const hashing = new PQueue({ concurrency: Math.max(1, availableParallelism() - 1) })

/** One password is typed in several ways, by keyboard: RFC 8265, 4.2.2. */
const typed = (password: string): string => password.replace(/\p{Zs}/gu, ' ').normalize('NFC')

export const hashPassword = (password: string): Promise<string> =>
  hashing.add(() => hash(typed(password), PARAMETERS))

/** Compared with where there is no account, which takes as long; made before the first comparison, not at the start. */
const nobody = openOnce(() => hashPassword('no one has this password'))

/** Whether the password belongs to the hash; without a hash, or with an empty one, it never does. */
export async function isPassword(password: string, passwordHash: string | undefined): Promise<boolean> {
  const comparison = await nobody()
  const isRight = await hashing.add(() => verify(passwordHash || comparison, typed(password)))
  return isRight && Boolean(passwordHash)
}

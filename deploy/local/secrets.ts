import { createPublicKey, generateKeyPairSync, randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pem } from '@voxscribe/service'

/** Returns the content of a file that is created once, all or nothing, and readable only by its owner. */
function madeOnce(dataDir: string, name: string, make: () => string): string {
  const path = join(dataDir, name)
  mkdirSync(dataDir, { recursive: true })
  if (!existsSync(path)) {
    writeFileSync(`${path}.new`, make(), { mode: 0o600, flush: true })
    renameSync(`${path}.new`, path)
  }
  return readFileSync(path, 'utf8')
}

/** Returns the keys for access tokens, given or created once; no public key if the given one is bad (auth says so). */
export function signingKeys(dataDir: string, given: string | undefined) {
  const make = () => generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
  const privateKey =
    given ?? madeOnce(dataDir, 'jwt-key.pem', () => String(make().export({ type: 'pkcs8', format: 'pem' })))
  try {
    const key = createPublicKey(pem.parse(privateKey))
    return { privateKey, publicKey: String(key.export({ type: 'spki', format: 'pem' })) }
  } catch {
    return { privateKey, publicKey: undefined }
  }
}

/** Returns secrets that the sandbox and the services share, as a provider's console would issue them. */
export function sandboxSecrets(dataDir: string) {
  const secret = () => randomBytes(24).toString('hex')
  const make = () => ({
    appSecret: secret(),
    accessToken: secret(),
    verifyToken: secret(),
    telegramToken: secret(),
    telegramSecret: secret(),
    stripeKey: `sk_test_${secret()}`,
    stripeWebhook: `whsec_${secret()}`,
  })
  const made = madeOnce(dataDir, 'sandbox-secrets.json', () => JSON.stringify(make()))
  // Secrets that an older file lacks are new at each start.
  return { ...make(), ...(JSON.parse(made) as Partial<ReturnType<typeof make>>) }
}

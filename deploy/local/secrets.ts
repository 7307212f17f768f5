import { createPublicKey, generateKeyPairSync, randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pem } from '@voxscribe/service'

/** A file that is made once, whole or not at all, and then kept; only its owner may read it. */
function madeOnce(dataDir: string, name: string, make: () => string): string {
  const path = join(dataDir, name)
  mkdirSync(dataDir, { recursive: true })
  if (!existsSync(path)) {
    writeFileSync(`${path}.new`, make(), { mode: 0o600, flush: true })
    renameSync(`${path}.new`, path)
  }
  return readFileSync(path, 'utf8')
}

/**
 * The key that signs access tokens: given, or made once as `jwt-key.pem`. Only auth gets the private half. What is no
 * key has no public half; auth's settings say what is wrong with it.
 */
export function signingKeys(
  dataDir: string,
  given: string | undefined,
): { privateKey: string; publicKey: string | undefined } {
  const privateKey =
    given ??
    madeOnce(dataDir, 'jwt-key.pem', () =>
      generateKeyPairSync('ec', { namedCurve: 'P-256' })
        .privateKey.export({ type: 'pkcs8', format: 'pem' })
        .toString(),
    )
  return { privateKey, publicKey: publicHalf(pem.safeParse(privateKey).data ?? '') }
}

function publicHalf(privateKey: string): string | undefined {
  try {
    return createPublicKey(privateKey).export({ type: 'spki', format: 'pem' }).toString()
  } catch {
    return undefined
  }
}

/** Secrets that the sandbox and the services share, as a provider's console would hand them out. */
export function sandboxSecrets(
  dataDir: string,
): Record<'appSecret' | 'accessToken' | 'verifyToken' | 'stripeKey' | 'stripeWebhook', string> {
  const secret = () => randomBytes(24).toString('hex')
  const made = madeOnce(dataDir, 'sandbox-secrets.json', () =>
    JSON.stringify({
      appSecret: secret(),
      accessToken: secret(),
      verifyToken: secret(),
      stripeKey: `sk_test_${secret()}`,
      stripeWebhook: `whsec_${secret()}`,
    }),
  )
  return JSON.parse(made)
}

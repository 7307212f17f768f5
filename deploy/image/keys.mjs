// Creates the key pair for access tokens once. The halves go into separate folders, so only auth reads the private one.
import { createPublicKey, generateKeyPairSync } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'

const [privateFile = '/keys/private/jwt.pem', publicFile = '/keys/public/jwt.pem'] = process.argv.slice(2)
if (!existsSync(privateFile)) {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  writeFileSync(privateFile, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 })
}
const publicKey = createPublicKey(readFileSync(privateFile))
writeFileSync(publicFile, publicKey.export({ type: 'spki', format: 'pem' }), { mode: 0o644 })

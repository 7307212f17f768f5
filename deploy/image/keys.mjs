// Makes the pair of keys for access tokens once: the private half into one folder, the public half into another, so
// that only auth gets to see the private one.
import { createPublicKey, generateKeyPairSync } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'

const [privateFile = '/keys/private/jwt.pem', publicFile = '/keys/public/jwt.pem'] = process.argv.slice(2)
if (!existsSync(privateFile)) {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  writeFileSync(privateFile, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 })
}
const publicKey = createPublicKey(readFileSync(privateFile))
writeFileSync(publicFile, publicKey.export({ type: 'spki', format: 'pem' }), { mode: 0o644 })

import { createPublicKey, generateKeyPairSync } from 'node:crypto'
import { readSettings } from '@voxscribe/service'
import { testKeys } from '@voxscribe/service/testing'
import { authSettings } from './settings.ts'

const MONGO_URL = 'mongodb://127.0.0.1:1'
const pemOf = (namedCurve: string) =>
  generateKeyPairSync('ec', { namedCurve }).privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()

test('when only a private key is given, then the public one follows from it', () => {
  const settings = readSettings(authSettings, { MONGO_URL, JWT_PRIVATE_KEY: testKeys.privateKey })
  expect(settings.JWT_PUBLIC_KEY).toBe(testKeys.publicKey)
})

test('when the public key of before is given, then tokens of both keys can be checked', () => {
  const before = createPublicKey(pemOf('P-256')).export({ type: 'spki', format: 'pem' }).toString()
  const settings = readSettings(authSettings, {
    MONGO_URL,
    JWT_PRIVATE_KEY: testKeys.privateKey,
    JWT_PUBLIC_KEY: before,
  })
  expect(settings.JWT_PUBLIC_KEY).toBe(testKeys.publicKey + before.trim())
})

test.each([
  ['there is no key', {}, 'JWT_PRIVATE_KEY: is needed'],
  ['the key is no PEM', { JWT_PRIVATE_KEY: 'secret' }, 'JWT_PRIVATE_KEY: must be a PEM'],
  ['the key is public', { JWT_PRIVATE_KEY: testKeys.publicKey }, 'JWT_PRIVATE_KEY: must be a private key'],
  [
    'SIGN_UP is another word',
    { JWT_PRIVATE_KEY: testKeys.privateKey, SIGN_UP: 'yes' },
    'SIGN_UP: must be open, invited or closed',
  ],
  [
    'the key is on another curve',
    { JWT_PRIVATE_KEY: pemOf('P-384') },
    'JWT_PRIVATE_KEY: must be a private key',
  ],
  [
    'only the issuer of a provider is there',
    { JWT_PRIVATE_KEY: testKeys.privateKey, OIDC_ISSUER: 'https://id.example.com' },
    'OIDC_CLIENT_ID: is needed to sign in by a provider\n  OIDC_CLIENT_SECRET: is needed to sign in by a provider\n  OIDC_NAME',
  ],
  [
    'there are no passwords and no provider',
    { JWT_PRIVATE_KEY: testKeys.privateKey, OIDC_ONLY: 'on' },
    'OIDC_ISSUER: is needed to sign in by a provider',
  ],
  [
    'the issuer is elsewhere without https',
    { JWT_PRIVATE_KEY: testKeys.privateKey, OIDC_ISSUER: 'http://192.168.1.2:8080' },
    'OIDC_ISSUER: must begin with https://',
  ],
])('when %s, then the start stops and names it', (_what, env, message) => {
  expect(() => readSettings(authSettings, { MONGO_URL, ...env })).toThrow(message)
})

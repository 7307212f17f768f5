import { mkdtempSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { signingKeys } from './secrets.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'secrets-'))
})
afterEach(() => rm(folder, { recursive: true }))

test('when no key is given, then one is made that only its owner may read, and kept', () => {
  const made = signingKeys(folder, undefined)
  expect(made.publicKey).toContain('PUBLIC KEY')
  expect(signingKeys(folder, undefined)).toEqual(made)
  expect(readdirSync(folder)).toEqual(['jwt-key.pem'])
  expect(statSync(join(folder, 'jwt-key.pem')).mode & 0o777).toBe(0o600)
})

test('when making the key was cut off, then it is made again', () => {
  writeFileSync(join(folder, 'jwt-key.pem.new'), '-----BEGIN PRIV')
  expect(signingKeys(folder, undefined).publicKey).toContain('PUBLIC KEY')
})

test('when a key is given as base64, then its public half is found and nothing is written', () => {
  const { privateKey, publicKey } = signingKeys(join(folder, 'other'), undefined)
  expect(signingKeys(folder, Buffer.from(privateKey).toString('base64')).publicKey).toBe(publicKey)
  expect(readdirSync(folder)).toEqual(['other'])
})

test('when what is given is no key, then the check of the settings gets to see it', () => {
  expect(signingKeys(folder, 'secret')).toEqual({ privateKey: 'secret', publicKey: undefined })
})

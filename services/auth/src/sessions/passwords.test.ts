import { hash } from '@node-rs/argon2'
import { hashPassword, isOutdated, isPassword } from './passwords.ts'

test('when a password is hashed, then argon2id with 19 MiB, 2 passes and 1 lane is used', async () => {
  expect(await hashPassword('secret')).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
})

test('when the password is right, then it matches, and no other does', async () => {
  const stored = await hashPassword('pässwörd')
  expect(await isPassword('pässwörd', stored)).toBe(true)
  expect(await isPassword('password', stored)).toBe(false)
})

test('when there is no account, then nothing matches', async () => {
  expect(await isPassword('no one has this password', undefined)).toBe(false)
})

test('when a hash was made with other parameters, then it is outdated', async () => {
  expect(isOutdated(await hash('secret', { memoryCost: 8192, timeCost: 3, parallelism: 1 }))).toBe(true)
  expect(isOutdated(await hashPassword('secret'))).toBe(false)
})

import { leaveNumber, restoreNumber } from './former-numbers.ts'
import type { User } from './users.ts'

const names = { _id: 'u1', email: 'a@example.com', firstName: 'Ada' }
const owner = {
  ...names,
  linkCode: 'VX-own',
  national: '2025550118',
  countryId: '840',
} as Partial<User> as User
const codes = Array.from({ length: 40 }, (_, at) => `VX-${at}`)
const left = (user: User, code: string): User => ({
  ...user,
  ...leaveNumber('https://voxscribe.example', user, null, { code }).change,
})

test('when more senders use codes than links are kept, then the first link still ends all of them', () => {
  const user = codes.reduce(left, owner)
  const { tokenHash } = user.formerNumbers![0]!
  expect(restoreNumber(user, tokenHash, true).undoneCodes).toEqual(codes)
})

test('when the number was changed between, then only so many are kept', () => {
  let user = owner
  for (const code of codes) user = left({ ...user, boundBy: code }, code)
  expect(user.formerNumbers?.map(({ usedCode }) => usedCode)).toEqual(codes.slice(0, 30))
})

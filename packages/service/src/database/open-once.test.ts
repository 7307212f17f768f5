import { openOnce } from './open-once.ts'

test('when it is opened twice at once, and later, then it is made once', async () => {
  let made = 0
  const opened = openOnce(async () => ({ made: ++made }))
  const [first, second] = await Promise.all([opened(), opened()])
  expect([first, second, await opened()]).toEqual([{ made: 1 }, { made: 1 }, { made: 1 }])
})

test('when it could not be opened, then all who waited learn why, and the next call tries again', async () => {
  let tries = 0
  const opened = openOnce(async () => {
    tries += 1
    if (tries === 1) throw new Error('too many open files')
    return tries
  })
  const failed = await Promise.allSettled([opened(), opened()])
  expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(await opened()).toBe(2)
})

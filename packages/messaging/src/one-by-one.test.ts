import { createOneByOne } from './one-by-one.ts'

test('when work of somebody is under way, then their next waits, and another person’s does not', async () => {
  const inTurn = createOneByOne()
  const begun: string[] = []
  const works = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const work = (name: string, until?: Promise<void>) => async () => {
    begun.push(name)
    await until
    return name
  }
  const first = inTurn('ann', work('first', works[0]!.promise))
  const second = inTurn('ann', work('second', works[1]!.promise))
  expect(await inTurn('ben', work('other'))).toBe('other')
  expect(begun).toEqual(['first', 'other'])
  works[0]!.reject(new Error('away'))
  await expect(first).rejects.toThrow('away')
  works[1]!.resolve()
  expect(await second).toBe('second')
  expect(await inTurn('ann', work('third'))).toBe('third')
})

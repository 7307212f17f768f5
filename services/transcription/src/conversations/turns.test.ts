import { refusal } from '@voxscribe/service'
import { createTurns } from './turns.ts'

test('when a person asks for much at once, then others come between, and beyond the limit it is refused', async () => {
  const inTurn = createTurns({ atOnce: 2, perPerson: 4 }, () => refusal('overloaded'))
  const begun: string[] = []
  const work = (name: string) => async () => {
    begun.push(name)
    await new Promise(setImmediate)
    return name
  }
  const crowd = Array.from({ length: 4 }, (_, n) => inTurn('ada', work(`ada ${n}`)))
  await expect(inTurn('ada', work('one more'))).rejects.toThrow(
    expect.objectContaining({ status: 503, code: 'overloaded' }),
  )
  const other = inTurn('bob', work('bob'))
  expect(await Promise.all([...crowd, other])).toEqual(['ada 0', 'ada 1', 'ada 2', 'ada 3', 'bob'])
  expect(begun).toEqual(['ada 0', 'ada 1', 'bob', 'ada 2', 'ada 3'])
  const fails = () => Promise.reject(new Error('broke'))
  for (let n = 0; n < 5; n++) await expect(inTurn('ada', fails)).rejects.toThrow('broke')
})

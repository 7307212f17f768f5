import { createRemembered } from './remembered.ts'

/** A stored value and how often it was read; a read takes until the next turn of the loop, and tells what was there at its begin. */
function open(isAlone: boolean) {
  const remembered = createRemembered(isAlone)
  let stored = 'old'
  let reads = 0
  const look = () =>
    remembered.read('ada', async () => {
      reads += 1
      const found = stored
      await new Promise(setImmediate)
      return found
    })
  const change = (to: string) =>
    remembered.write(async () => {
      await new Promise(setImmediate)
      stored = to
      await new Promise(setImmediate)
    })
  return { remembered, look, change, reads: () => reads }
}

test('when nothing changes, then concurrent and later reads are one', async () => {
  const { look, reads } = open(true)
  expect(await Promise.all([look(), look()])).toEqual(['old', 'old'])
  expect(await look()).toBe('old')
  expect(reads()).toBe(1)
})

test('when it changes during a read, then the next read has the change', async () => {
  const { look, change } = open(true)
  const before = look()
  const changing = change('new')
  const during = look()
  await Promise.all([before, changing, during])
  expect(await look()).toBe('new')
})

test('when a write fails, then earlier results are cleared', async () => {
  const { remembered, look, reads } = open(true)
  await look()
  const lost = remembered.write(() => Promise.reject(new Error('The answer was lost')))
  await expect(lost).rejects.toThrow('lost')
  await look()
  expect(reads()).toBe(2)
})

test('when a read fails, then the next one reads again', async () => {
  const { remembered, look } = open(true)
  await expect(remembered.read('ada', () => Promise.reject(new Error('away')))).rejects.toThrow('away')
  expect(await look()).toBe('old')
})

test('when other processes write too, then each look is a read', async () => {
  const { look, reads } = open(false)
  await look()
  await look()
  expect(reads()).toBe(2)
})

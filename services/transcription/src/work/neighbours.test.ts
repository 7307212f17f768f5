import { createNeighbours } from './neighbours.ts'

const EVERY_MS = 30_000

function openNeighbours(languages: string[], isAlone = false) {
  const clock = { ms: 0 }
  const told: unknown[] = []
  const neighbours = createNeighbours({
    engines: { languages: () => languages },
    owner: 'this',
    isAlone,
    everyMs: EVERY_MS,
    tell: data => told.push(data),
    elapsed: () => clock.ms,
  })
  const hear = (owner: string, languages: string[] | 'all') =>
    neighbours.hear({ speaks: { owner, languages } })
  return { ...neighbours, clock, told, hear }
}
const NEEDS_NONE = [{ isSilent: true }, { durationSeconds: null }]

test('when a process is alone, then it claims every note, and tells no one', async () => {
  const { notTheirs, say, told } = openNeighbours(['en'], true)
  expect(notTheirs()).toEqual({})
  await say()
  expect(told).toEqual([])
})

test('when a process has just started, then it claims only what it knows', () => {
  const { notTheirs } = openNeighbours(['en'])
  expect(notTheirs()).toEqual({ $or: [{ language: { $in: ['en', 'auto'] } }, ...NEEDS_NONE] })
})

test('when a neighbour knows a language that this process does not, then its notes are left to it', () => {
  const { notTheirs, hear, clock } = openNeighbours(['en'])
  clock.ms = 3 * EVERY_MS
  hear('other', ['en', 'de'])
  expect(notTheirs()).toEqual({ $or: [{ language: { $nin: ['de'] } }, ...NEEDS_NONE] })
})

test('when the neighbour is silent for three rounds, then this process claims what nobody knows', () => {
  const { notTheirs, hear, haveEngine, clock } = openNeighbours(['en'])
  hear('other', 'all')
  expect(haveEngine()).toBe(true)
  clock.ms = 3 * EVERY_MS
  expect(haveEngine()).toBe(false)
  expect(notTheirs()).toEqual({})
})

test('when a process has no engine, then it leaves notes to a neighbour that has one', () => {
  const { notTheirs, hear, clock } = openNeighbours([])
  clock.ms = 3 * EVERY_MS
  hear('other', ['en'])
  expect(notTheirs()).toEqual({ $or: [{ language: { $nin: ['en', 'auto'] } }, ...NEEDS_NONE] })
})

import { turnsOfSides } from './sides.ts'

const SECONDS = 20
const STEPS = SECONDS * 10
const LOUD = 3_000
const speech = [{ from: 0, to: SECONDS }]

/** Loudness of a voice with syllables and pauses, the same for a seed. */
function voice(seed: number, isTalking: (second: number) => boolean = () => true): number[] {
  let state = seed
  const random = () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return state / 2 ** 31
  }
  return Array.from({ length: STEPS }, (_, step) => {
    const level = random() < 0.25 ? 30 : LOUD * (0.3 + random())
    return isTalking(step / 10) ? level : 5
  })
}
const later = (levels: number[], seconds: number, gain = 1) =>
  levels.map((_, step) => (levels[step - Math.round(seconds * 10)] ?? 5) * gain)
const both = (one: number[], other: number[]) => one.map((level, step) => Math.hypot(level, other[step] ?? 0))
const isFirst = (second: number) => Math.floor(second / 4) % 2 === 0
const ada = voice(1, isFirst)
const bob = voice(2, second => !isFirst(second))

const turns = [
  { from: 0, to: 4, speaker: '1' },
  { from: 4, to: 8, speaker: '2' },
  { from: 8, to: 12, speaker: '1' },
  { from: 12, to: 16, speaker: '2' },
  { from: 16, to: 20, speaker: '1' },
]
test.each([
  ['two people take turns', ada, bob],
  [
    'each is heard on the other side, too, fainter and later',
    both(ada, later(bob, 0.1, 0.15)),
    both(bob, later(ada, 0.1, 0.15)),
  ],
  ['one side is recorded more quietly', ada, bob.map(level => level / 6)],
])('when %s, then who speaks is told, the left one first', (_, left, right) => {
  const found = turnsOfSides([left, right], speech)
  expect(found?.map(({ speaker }) => speaker)).toEqual(turns.map(({ speaker }) => speaker))
  for (const [at, { from }] of (found ?? []).entries())
    expect(Math.abs(from - (turns[at]?.from ?? 0))).toBeLessThan(0.5)
})

test('when both talk all the time, then they are two', () => {
  const found = turnsOfSides([voice(3), voice(4)], speech)
  expect(new Set(found?.map(({ speaker }) => speaker))).toEqual(new Set(['1', '2']))
})

const one = voice(5)
test.each([
  ['both sides are the same', one, one],
  ['one is fainter', one, one.map(level => level / 4)],
  ['one comes 30 ms later', one, one.map((level, step) => 0.7 * level + 0.3 * (one[step - 1] ?? level))],
  ['one is an echo of the other, 300 ms later', one, later(one, 0.3, 0.5)],
  ['one is empty', one, one.map(() => 0)],
  ['one has noise alone', one, one.map((_, step) => 200 + (step % 7))],
  ['one has what comes through from the other side', one, later(one, 0.1, 0.01)],
])('when %s, then it is one person', (_, left, right) => {
  expect(turnsOfSides([left, right], speech)).toBeNull()
  expect(turnsOfSides([right, left], speech)).toBeNull()
})

test('when a file lasts three hours, then comparing its sides takes as long as the file is', () => {
  const processorMs = (hours: number) => {
    const steps = hours * 3_600 * 10
    const long = (levels: number[]) => Array.from({ length: steps }, (_, step) => levels[step % STEPS] ?? 0)
    const sides: [number[], number[]] = [long(ada), long(bob)]
    const before = process.threadCpuUsage()
    expect(turnsOfSides(sides, [{ from: 0, to: steps / 10 }])?.length).toBeGreaterThan(600 * hours)
    return process.threadCpuUsage(before).user / 1000
  }
  // Comparing each step with every other would take a hundred times as long.
  expect(processorMs(3)).toBeLessThan(30 * (processorMs(0.3) + 10))
})

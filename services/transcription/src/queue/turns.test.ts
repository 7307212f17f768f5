import { placeAfter, shareOf } from './turns.ts'

interface Note {
  userId: string
  /** Seconds of work. */
  work: number
  /** Arrival time, on the simulated clock. */
  at: number
}

/** A queue in memory with the same order as the one in the database. */
function createOrder() {
  const last = new Map<string, number>()
  let clock = 0
  return {
    placeOf(userId: string, seconds: number) {
      const place = placeAfter(last.get(userId), clock, seconds)
      last.set(userId, place.turn)
      return place
    },
    reached(turn: number, seconds: number) {
      clock = turn > clock ? turn : clock + shareOf(seconds)
    },
  }
}

/** Simulates a service with `servers` notes at once, lowest turn first. Returns when each note begins and ends. */
function simulate(notes: Note[], servers: number) {
  const order = createOrder()
  const free = Array.from({ length: servers }, () => 0)
  const coming = notes.map((note, index) => ({ ...note, index })).sort((a, b) => a.at - b.at)
  const waiting: ((typeof coming)[number] & { turn: number })[] = []
  const done: { begun: number; done: number }[] = []
  while (coming.length || waiting.length) {
    const server = free.indexOf(Math.min(...free))
    const now = waiting.length ? free[server]! : Math.max(free[server]!, coming[0]!.at)
    while (coming[0] && coming[0].at <= now) {
      const note = coming.shift()!
      waiting.push({ ...note, turn: order.placeOf(note.userId, note.work).turn })
    }
    waiting.sort((a, b) => a.turn - b.turn)
    const next = waiting.shift()!
    order.reached(next.turn, next.work)
    done[next.index] = { begun: now, done: now + next.work }
    free[server] = now + next.work
  }
  return done
}

const many = (userId: string, count: number, work: number): Note[] =>
  Array.from({ length: count }, () => ({ userId, work, at: 0 }))

test.each([100, 1_000])(
  'when one person has sent %d notes, then another’s waits only for the one in progress',
  count => {
    for (const servers of [1, 2, 8]) {
      const at = 0.4 * ((count * 3) / servers)
      const done = simulate([...many('a', count, 3), { userId: 'b', work: 3, at }], servers)
      expect(done.at(-1)!.done - at).toBeLessThanOrEqual(3 + 1.1 * 3)
    }
  },
)

test('when a short and a long note wait, then the short one is first, whoever came first', () => {
  const done = simulate(
    [
      { userId: 'busy', work: 10, at: 0 },
      { userId: 'long', work: 7_200, at: 1 },
      { userId: 'short', work: 5, at: 2 },
    ],
    1,
  )
  expect(done.map(({ begun }) => begun)).toEqual([0, 15, 10])
})

test('when short notes of new people keep coming, then a long one still has its turn', () => {
  const crowd = Array.from({ length: 5_000 }, (_, n) => ({ userId: `p${n}`, work: 5, at: n * 4 }))
  const done = simulate([{ userId: 'long', work: 1_000, at: 10 }, ...crowd], 1)
  // It waits until the others have had as much work as it needs, and no longer.
  expect(done[0]!.begun).toBeLessThan(1_300)
})

test('when two people have many notes, then they get the same time, whatever the lengths', () => {
  const done = simulate([...many('short', 200, 5), ...many('long', 10, 100)], 1)
  const half = 1_000
  const had = (from: number, to: number, work: number) =>
    done.slice(from, to).filter(note => note.done <= half).length * work
  expect(had(0, 200, 5) / half).toBeCloseTo(0.5, 1)
  expect(had(200, 210, 100) / half).toBeCloseTo(0.5, 1)
})

test('when a person returns after a pause, then earlier shares no longer count', () => {
  const order = createOrder()
  for (let note = 0; note < 100; note++) order.placeOf('a', 10)
  order.reached(5_000, 10)
  expect(order.placeOf('a', 10)).toEqual(order.placeOf('b', 10))
})

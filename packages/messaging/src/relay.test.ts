import type { Envelope } from '@voxscribe/contracts/events'
import { pino } from 'pino'
import type { OutboxSource } from './relay.ts'
import { startRelay } from './relay.ts'
import { eventually } from './testing/eventually.ts'
import { anEvent, userOf } from './testing/sample.ts'

const log = pino({ level: 'silent' })

/** Creates an outbox in memory; `before` is called before each reading and each removal. */
function outbox(
  documents: Record<string, Envelope[]>,
  before: (step: 'read' | 'remove') => unknown = () => {},
) {
  const removed: string[] = []
  const source: OutboxSource = {
    name: 'notes',
    async pending(limit) {
      await before('read')
      return Object.entries(documents)
        .filter(([, events]) => events.length)
        .slice(0, limit)
        .map(([key, events]) => ({ key, events: [...events] }))
    },
    async remove({ key, eventId }) {
      await before('remove')
      removed.push(eventId)
      documents[key] = documents[key]!.filter(({ id }) => id !== eventId)
    },
  }
  return { documents, removed, source }
}

/** Creates a bus that accepts all events for which `before` does not reject. */
function taking(before: (event: Envelope) => unknown = () => {}) {
  const published: string[] = []
  const publish = async (event: Envelope) => {
    await before(event)
    published.push(event.id)
  }
  return { published, bus: { publish } }
}

const stops: (() => Promise<void>)[] = []
const start = (
  options: Partial<Parameters<typeof startRelay>[0]> &
    Pick<Parameters<typeof startRelay>[0], 'bus' | 'sources'>,
) => {
  const relay = startRelay({ log, everyMs: 20, takeOverMs: 0, ...options })
  stops.push(relay.stop)
  return relay
}
afterEach(async () => {
  await Promise.all(stops.splice(0).map(stop => stop()))
})

test('when events wait at the start, then they are published in order, then removed', async () => {
  const events = [anEvent('a'), anEvent('b'), anEvent('c')]
  const { source, documents, removed } = outbox({ note: events })
  const { bus, published } = taking(({ id }) => expect(removed).not.toContain(id))
  start({ bus, sources: [source], everyMs: 60_000 })
  await eventually(() => expect(documents.note).toEqual([]))
  expect(published).toEqual(events.map(({ id }) => id))
})

test('when a document’s events keep failing, then there is one warning until one is published', async () => {
  const { source, documents } = outbox({ note: [anEvent('a')] })
  const lines: string[] = []
  let failures = 5
  const { bus } = taking(() => {
    if (failures-- > 0) throw new Error('The broker is away')
    expect(documents.note).toHaveLength(1)
  })
  const warnings = pino({ level: 'warn' }, { write: line => lines.push(line) })
  const relay = start({ bus, sources: [source], log: warnings })
  await eventually(() => expect(documents.note).toEqual([]))
  expect(lines).toHaveLength(1)
  failures = 1
  documents.note = [anEvent('b')]
  relay.publishSoon('notes', 'note', documents.note)
  await eventually(() => expect(documents.note).toEqual([]))
  expect(lines).toHaveLength(2)
})

test.each([
  ['read', 1],
  ['remove', 2],
])('when the outbox cannot %s at first, then it is published %i time(s)', async (failing, times) => {
  let broken = true
  const { source, documents } = outbox({ note: [anEvent('a')] }, step => {
    if (step !== failing || !broken) return
    broken = false
    throw new Error('The database is away')
  })
  const { bus, published } = taking()
  start({ bus, sources: [source] })
  await eventually(() => expect(documents.note).toEqual([]))
  expect(published).toHaveLength(times)
})

test('when events have just been written, then they are published without reading the outbox', async () => {
  let reads = 0
  const { source, documents } = outbox({}, step => step === 'read' && reads++)
  const { bus, published } = taking()
  const relay = start({ bus, sources: [source], everyMs: 60_000, takeOverMs: 60_000 })
  const events = [anEvent('a'), anEvent('b')]
  documents.note = [...events]
  relay.publishSoon('notes', 'note', events)
  await eventually(() => expect(documents.note).toEqual([]))
  expect(published).toEqual(events.map(({ id }) => id))
  expect(reads).toBe(1)
})

describe('beside another one over the same outbox', () => {
  test('when each publishes what it writes, then every event goes out once', async () => {
    const { source, documents } = outbox({})
    // Slow enough for the other relay's readings to find it.
    const { bus, published } = taking(() => new Promise(resolve => setTimeout(resolve, 40)))
    const relays = [0, 1].map(() => start({ bus, sources: [source], everyMs: 5, takeOverMs: 60_000 }))
    const events = Array.from({ length: 40 }, (_, n) => anEvent(`${n}`))
    for (const [n, event] of events.entries()) {
      documents[`note-${n}`] = [event]
      relays[n % 2]!.publishSoon('notes', `note-${n}`, [event])
    }
    await eventually(() => expect(Object.values(documents).flat()).toEqual([]))
    expect(published.toSorted()).toEqual(events.map(({ id }) => id).toSorted())
  })

  test('when it dies before publishing, then its events are taken over, whatever its clock', async () => {
    const written = [-600_000, 0, 600_000].map(shift => ({
      ...anEvent('a'),
      occurredAt: new Date(Date.now() + shift).toISOString(),
    }))
    const { source, documents } = outbox({ note: written })
    const started = performance.now()
    const times: number[] = []
    const { bus } = taking(() => times.push(performance.now() - started))
    start({ bus, sources: [source], everyMs: 5, takeOverMs: 200 })
    await eventually(() => expect(documents.note).toEqual([]))
    expect(times).toHaveLength(3)
    for (const time of times) expect(time).toBeGreaterThan(198)
  })

  test('when many fresh events of others come first, then an old one is still taken over', async () => {
    const fresh = () => Array.from({ length: 6 }, (_, n) => [`fresh-${n}`, [anEvent('fresh')]] as const)
    const { source, documents } = outbox({})
    const { bus, published } = taking()
    // The others' events come and go with each reading; the one behind them stays.
    const busy: OutboxSource = {
      ...source,
      pending: async limit => {
        const old = documents.old?.length ? [['old', documents.old] as const] : []
        return [...fresh(), ...old].slice(0, limit).map(([key, events]) => ({ key, events: [...events] }))
      },
    }
    const old = anEvent('old')
    documents.old = [old]
    start({ bus, sources: [busy], batch: 4, everyMs: 5, takeOverMs: 100 })
    await eventually(() => expect(documents.old).toEqual([]))
    expect(published).toEqual([old.id])
  })
})

test('when a document has an event in flight, then a new one is published, and none twice', async () => {
  const [slow, quick] = [anEvent('slow'), anEvent('quick')]
  const { source, documents } = outbox({ note: [slow] })
  const gate = Promise.withResolvers<void>()
  const begun: string[] = []
  const { bus } = taking(({ id }) => {
    begun.push(id)
    return id === slow.id && gate.promise
  })
  const relay = start({ bus, sources: [source] })
  await eventually(() => expect(begun).toEqual([slow.id]))
  documents.note!.push(quick)
  relay.publishSoon('notes', 'note', [quick])
  await eventually(() => expect(documents.note).toEqual([slow]))
  gate.resolve()
  await eventually(() => expect(documents.note).toEqual([]))
  expect(begun).toEqual([slow.id, quick.id])
})

test('when many documents wait, then they are read in batches, the next one without a tick', async () => {
  const many = Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`note-${n}`, [anEvent(`${n}`)]]))
  const { source, documents } = outbox(many)
  let [now, most] = [0, 0]
  const { bus } = taking(async () => {
    most = Math.max(most, ++now)
    await new Promise(setImmediate)
    now -= 1
  })
  start({ bus, sources: [source], batch: 4, everyMs: 60_000 })
  await eventually(() => expect(Object.values(documents).flat()).toEqual([]))
  expect(most).toBeLessThanOrEqual(6)
})

test('when more documents fail than a reading takes, then those behind are published', async () => {
  const bad = Object.fromEntries(Array.from({ length: 6 }, (_, n) => [`bad-${n}`, [anEvent('bad')]]))
  const { source, documents } = outbox({ ...bad, good: [anEvent('good')] })
  const { bus } = taking(event => {
    if (userOf(event) === 'bad') throw new Error('No one receives it')
  })
  start({ bus, sources: [source], batch: 4 })
  await eventually(() => expect(documents.good).toEqual([]))
  expect(Object.values(documents).flat()).toHaveLength(6)
})

test('when events are retried in-process for hours, then those behind them still go out', async () => {
  const stuck = Array.from({ length: 15 }, (_, n) => [`stuck-${n}`, [anEvent('stuck')]] as const)
  const { source, documents } = outbox({ ...Object.fromEntries(stuck), note: [anEvent('next')] })
  const { bus } = taking(event => userOf(event) === 'stuck' && new Promise(() => {}))
  start({ bus, sources: [source], batch: 1, stopWaitMs: 0 })
  await eventually(() => expect(documents.note).toEqual([]))
})

test('when one source hangs, then another one is still served', async () => {
  const hanging: OutboxSource = {
    name: 'hanging',
    pending: () => new Promise(() => {}),
    remove: async () => {},
  }
  const { source, documents } = outbox({ note: [anEvent('a')] })
  start({ bus: taking().bus, sources: [hanging, source], stopWaitMs: 20 })
  await eventually(() => expect(documents.note).toEqual([]))
})

test('when it is stopped, then it waits for what is being published and takes nothing more', async () => {
  const { source, documents } = outbox({ note: [anEvent('a')] })
  const gate = Promise.withResolvers<void>()
  let begun = 0
  const { bus } = taking(() => {
    begun += 1
    return gate.promise
  })
  const relay = start({ bus, sources: [source] })
  await eventually(() => expect(begun).toBe(1))
  const stopped = relay.stop()
  documents.other = [anEvent('b')]
  relay.publishSoon('notes', 'other', documents.other)
  gate.resolve()
  await stopped
  expect(documents.note).toEqual([])
  expect(begun).toBe(1)
})

test('when an event waits, then its age is reported, and 0 once it is gone', async () => {
  const old = { ...anEvent('a'), occurredAt: new Date(Date.now() - 60_000).toISOString() }
  const { source, documents } = outbox({ note: [old] })
  let away = true
  const { bus } = taking(() => {
    if (away) throw new Error('The broker is away')
  })
  const relay = start({ bus, sources: [source] })
  await eventually(() => expect(relay.oldestSeconds()).toBeGreaterThan(59))
  away = false
  await eventually(() => expect(relay.oldestSeconds()).toBe(0))
  expect(documents.note).toEqual([])
})

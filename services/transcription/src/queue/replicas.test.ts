import { createReplicas } from './replicas.ts'

const EVERY_MS = 30_000

function openPeers(languages: string[], { isAlone = false, expected = [] as string[] } = {}) {
  const clock = { ms: 0 }
  const told: unknown[] = []
  const replicas = createReplicas({
    engines: { languages: () => languages, expected: () => expected },
    owner: 'this',
    isAlone,
    everyMs: EVERY_MS,
    broadcast: data => told.push(data),
    elapsed: () => clock.ms,
  })
  const hear = (owner: string, languages: string[] | 'all', expected: string[] = []) =>
    replicas.receive({ speaks: { owner, languages, expected } })
  return { ...replicas, clock, told, hear }
}
const NEEDS_NONE = [{ isSilent: true }, { durationSeconds: null }]

test('when a process is alone, then it claims every note, and tells no one', async () => {
  const { notTheirs, announce, told } = openPeers(['en'], { isAlone: true })
  expect(notTheirs()).toEqual({})
  await announce()
  expect(told).toEqual([])
})

test('when a process has just started, then it claims only what it knows', () => {
  const { notTheirs } = openPeers(['en'])
  expect(notTheirs()).toEqual({ $or: [{ language: { $in: ['en', 'auto'] } }, ...NEEDS_NONE] })
})

test('when only a peer knows a language, then its notes are left to the peer', () => {
  const { notTheirs, hear, clock } = openPeers(['en'])
  clock.ms = 3 * EVERY_MS
  hear('other', ['en', 'de'])
  expect(notTheirs()).toEqual({ $or: [{ language: { $nin: ['de'] } }, ...NEEDS_NONE] })
})

test('when the peer is silent for three rounds, then this process claims what nobody knows', () => {
  const { notTheirs, hear, clock } = openPeers(['en'])
  hear('other', 'all')
  clock.ms = 3 * EVERY_MS
  expect(notTheirs()).toEqual({})
})

test('when a process has no engine, then it leaves notes to a peer that has one', () => {
  const { notTheirs, mustWait, hear, clock } = openPeers([])
  clock.ms = 3 * EVERY_MS
  expect([mustWait('en'), mustWait('auto')]).toEqual([true, true])
  hear('other', ['en'])
  expect(notTheirs()).toEqual({ $or: NEEDS_NONE })
  expect([mustWait('en'), mustWait('auto'), mustWait('de')]).toEqual([false, false, false])
})

test('when the model of a language is being fetched by any process, then its notes wait', () => {
  const here = openPeers(['en'], { expected: ['de', 'en'] })
  expect(['en', 'auto', 'de', 'fr'].map(here.mustWait)).toEqual([false, false, true, false])
  const { notTheirs, mustWait, hear, clock } = openPeers(['en'])
  clock.ms = 3 * EVERY_MS
  hear('other', ['en'], ['de'])
  expect(mustWait('de')).toBe(true)
  expect(notTheirs()).toEqual({ $or: [{ language: { $nin: ['de'] } }, ...NEEDS_NONE] })
  hear('other', ['en', 'de'])
  expect(mustWait('de')).toBe(false)
})

import { join } from 'node:path'
import { startOneProcess } from '../../e2e/testing/one-process.ts'
import { type Person, signUp } from '../../e2e/testing/person.ts'
import { fillHistory } from '../history-notes.ts'
import { type Figure, median, type Row } from '../row.ts'
import { millisecondsOf } from '../system.ts'

interface Call {
  name: string
  path: string
  /** The call of the person with few notes, where it is another. */
  beside?: string
  /** Figures that issue and discussion began with. */
  before?: string
}

/** Of the person beside whom the other is measured. */
const FEW = 100
const MANY = Number(process.env.BENCH_NOTES ?? 50_000)
const pages = (search = '') =>
  [10, 100, MANY / 20, MANY / 10].map(page => ({
    name: `page ${page}${search && ` of a search of ${search}`}`,
    path: `?page=${page}${search && `&search=${search}`}`,
    beside: `?search=${search}`,
  }))
const CALLS: Call[] = [
  { name: 'first page', path: '', before: '1540 ms' },
  ...pages(),
  { name: 'numbers', path: '/stats', before: '441 ms' },
  { name: 'of a status', path: '?status=failed', before: '1314–1583 ms' },
  { name: 'of a language', path: '?language=es' },
  { name: 'of a source', path: '?source=web' },
  { name: 'of a week', path: '?from=2026-01-05&to=2026-01-11', beside: '?from=2026-01-01' },
  { name: 'of a source and a language', path: '?source=web&language=es', beside: '?source=web' },
  { name: 'of a status and a month', path: '?status=failed&from=2026-01-01&to=2026-01-31' },
  { name: 'search of a common word', path: '?search=common', before: '1314–1583 ms' },
  ...pages('common').slice(0, 2),
  { name: 'search of a word in 1 of 32', path: '?search=seldom', beside: '?search=half' },
  { name: 'search of a word of long ago', path: '?search=early' },
  { name: 'search of a rare word', path: '?search=rare', before: '1314–1583 ms' },
  { name: 'search of two words', path: '?search=often+half', before: '1314–1583 ms' },
  { name: 'search of a common and a rare word', path: '?search=common+rare' },
  { name: 'search of two words never together', path: '?search=even+odd' },
  { name: 'search of a beginning that many words have', path: '?search=w' },
  ...pages('w').slice(0, 2),
  { name: 'search of a beginning that few words have', path: '?search=rar' },
  { name: 'search without spaces', path: '?search=%E4%BC%9A%E8%AE%AE' },
  { name: 'search in a status', path: '?search=even&status=failed' },
  { name: 'search in a status that never has the word', path: '?search=odd&status=failed' },
  { name: 'search in a week', path: '?search=often&from=2026-01-05&to=2026-01-11', beside: '?search=often' },
]
const MOST = 200_000
/** Each note of so many has few words: the index of words would take most of the time that filling takes. */
const MOST_CALLS: Call[] = [{ name: 'first page', path: '', before: '15709 ms' }]
/** Calls of one measurement: a median of them. */
const TURNS = 7

/** The product in one process, through its public door, with the notes that two people have gathered. */
async function open(calls: Call[], notes: number, words: number) {
  const system = await startOneProcess({ RATE_LIMITS: 'off', LOG_LEVEL: 'warn', ACCESS_TOKEN_TTL: '2h' })
  const socket = encodeURIComponent(join(system.dataDir, 'mongo/mongo.sock'))

  async function personWith(notes: number): Promise<Person> {
    const person = await signUp(system)
    const url = `mongodb://${socket}/?directConnection=true`
    await fillHistory(url, 'voxscribe_transcription', person.user.id, { notes, words })
    return person
  }

  async function ask({ accessToken }: Person, path: string): Promise<void> {
    const headers = { authorization: `Bearer ${accessToken}` }
    const response = await fetch(`${system.appUrl}/api/transcriptions${path}`, { headers })
    const body = await response.text()
    if (!response.ok) throw new Error(body)
  }

  const [few, many] = [await personWith(FEW), await personWith(notes)]

  async function all(person: Person, pathOf: (call: Call) => string): Promise<number[]> {
    const medians: number[] = []
    for (const call of calls) {
      const times: number[] = []
      for (let turn = 0; turn < TURNS; turn++)
        times.push(await millisecondsOf(() => ask(person, pathOf(call))))
      medians.push(median(times))
    }
    return medians
  }

  return {
    ours: () => all(many, ({ path }) => path),
    plain: () => all(few, ({ path, beside = path }) => beside),
    close: () => system.remove(),
  }
}

function inTheWayOf(name: string): string {
  if (name.includes('never')) {
    return 'That a word and a common filter never meet is known once each key of the filter is read.'
  }
  return 'It reads as much as for few notes, from an index that is deeper and less in the cache.'
}

const figuresOf = (calls: Call[], notes: number): Figure[] =>
  calls.map(({ name, before = '–' }) => ({
    name: `${name}, ${notes} notes`,
    unit: 'ms',
    before,
    goal: { ratioAtMost: 1.3 },
    inTheWay: inTheWayOf(name),
  }))

export const historyRows: Row[] = [
  {
    name: 'history',
    title: 'History of one person, through the gateway',
    baseline: `the same calls for a person with ${FEW} notes (BENCH_NOTES: how many the other has)`,
    figures: figuresOf(CALLS, MANY),
    seconds: 170,
    open: () => open(CALLS, MANY, 40),
  },
  {
    name: 'history-200k',
    title: 'History of one person with very many notes',
    baseline: `the same call for a person with ${FEW} notes`,
    figures: figuresOf(MOST_CALLS, MOST),
    seconds: 110,
    open: () => open(MOST_CALLS, MOST, 0),
  },
]

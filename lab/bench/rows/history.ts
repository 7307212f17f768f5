import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { startOneProcess } from '../../../e2e/testing/one-process.ts'
import { type Person, signUp } from '../../../e2e/testing/person.ts'
import { fillHistory } from '../history-notes.ts'
import { quantile, type Row } from '../row.ts'

const FEW = 100
const MANY = 20_000
const FIRST_PAGE = ''
const STATS = '/stats'
/** Pages, filters and searches: words of all, some and few notes, alone and combined. */
const LISTS = [
  FIRST_PAGE,
  '?page=10',
  '?page=100',
  `?page=${MANY / 20}`,
  `?page=${MANY / 10}`,
  '?status=failed',
  '?language=es',
  '?source=web',
  '?from=2026-01-05&to=2026-01-11',
  '?source=web&language=es',
  '?status=failed&from=2026-01-01&to=2026-01-31',
  '?search=common',
  '?search=common&page=100',
  '?search=seldom',
  '?search=early',
  '?search=rare',
  '?search=often+half',
  '?search=common+rare',
  '?search=even+odd',
  '?search=w',
  '?search=w&page=100',
  '?search=%E4%BC%9A%E8%AE%AE',
  '?search=even&status=failed',
  '?search=often&from=2026-01-01&to=2026-01-05',
]
/** Calls of each list per measurement. */
const TURNS = 10
const WORDS = 40

/** Starts the product in one process, used through its public port, with two people who have 100 and 20,000 notes. */
async function open() {
  const system = await startOneProcess({ RATE_LIMITS: 'off', LOG_LEVEL: 'warn', ACCESS_TOKEN_TTL: '2h' })
  const socket = encodeURIComponent(join(system.dataDir, 'mongo/mongo.sock'))

  async function personWith(notes: number): Promise<Person> {
    const person = await signUp(system)
    const url = `mongodb://${socket}/?directConnection=true`
    await fillHistory(url, 'voxscribe_transcription', person.user.id, { notes, words: WORDS })
    return person
  }

  async function timesOf({ accessToken }: Person, path: string): Promise<number[]> {
    const headers = { authorization: `Bearer ${accessToken}` }
    const times: number[] = []
    while (times.length < TURNS) {
      const began = performance.now()
      const response = await fetch(`${system.appUrl}/api/transcriptions${path}`, { headers })
      const body = await response.text()
      const took = performance.now() - began
      // Searches that find nothing are limited to 60 per minute.
      if (response.status === 429) await wait(1000 * Number(response.headers.get('retry-after')))
      else if (response.ok) times.push(took)
      else throw new Error(body)
    }
    return times
  }

  async function slowest(person: Person): Promise<number> {
    const each: number[] = []
    for (const path of LISTS) each.push(quantile(await timesOf(person, path), 0.95))
    return Math.max(...each)
  }

  const [few, many] = [await personWith(FEW), await personWith(MANY)]
  const p50 = async (person: Person) => quantile(await timesOf(person, FIRST_PAGE), 0.5)
  const stats = async (person: Person) => quantile(await timesOf(person, STATS), 0.95)
  return {
    ours: async () => [await p50(many), await slowest(many), await stats(many)],
    plain: async () => [await p50(few), await slowest(few), await stats(few)],
    close: () => system.remove(),
  }
}

export const HISTORY_ROW: Row = {
  name: 'history',
  title: 'History of one person, through the gateway',
  baseline: `the same calls for a person with ${FEW} notes`,
  figures: [
    { name: `first page of ${MANY} notes, p50`, unit: 'ms', goal: { atMost: 50 } },
    { name: `slowest of ${LISTS.length} lists of ${MANY} notes, p95`, unit: 'ms', goal: { atMost: 150 } },
    { name: `sums of ${MANY} notes, p95`, unit: 'ms', goal: { atMost: 100 } },
  ],
  seconds: 170,
  open,
}

import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { api, DataOf } from '@voxscribe/contracts/http'
import { noteId, type Person } from './people.ts'
import type { NoteToSend } from './plan.ts'
import type { Exit } from './processes.ts'
import type { SentMessage } from './providers.ts'
import type { Made } from './troubles.ts'
import type { World } from './world.ts'

/** Line of the table: a promise, what was counted, and what breaks it. */
export interface Finding {
  what: string
  count: string
  broken: string[]
}

/** How long after its end a thing may still not be written down: the answer's way back, and the write. */
const WINDOW_MS = 5_000
const CALL_NUMBER = /call number (\d+)/

type Item = DataOf<typeof api.transcriptions>['transcriptions'][number]
type Entry = DataOf<typeof api.usage>['usage'][number]

/** The system's word on a person's notes. */
interface Told {
  person: Person
  items: Item[]
  entries: Entry[]
  plan: DataOf<typeof api.subscriptionStatus>
}

interface Ledgers {
  world: World
  notes: NoteToSend[]
  people: Person[]
  made: Made[]
}

/** Compares what the system says with the ledgers outside of it. Throws while there is no answer to a question. */
export async function replay(ledgers: Ledgers): Promise<Finding[]> {
  const told = await Promise.all(ledgers.people.map(ask))
  return [
    transcripts(ledgers, told),
    answers(ledgers),
    charges(ledgers, told),
    engineCalls(ledgers, told),
    await outboxes(ledgers),
    await messages(ledgers),
    files(ledgers),
  ]
}

async function ask(person: Person): Promise<Told> {
  const items: Item[] = []
  const entries: Entry[] = []
  for (let page = 1; ; page += 1) {
    const { data } = await person.http.get('/transcriptions', { params: { page, limit: 100 } })
    const found = data.data.transcriptions as Item[]
    items.push(...found)
    if (found.length < 100) break
  }
  for (let page = 1; ; page += 1) {
    const { data } = await person.http.get('/stripe/usage', { params: { page, limit: 100 } })
    const found = data.data.usage as Entry[]
    entries.push(...found)
    if (found.length < 100) break
  }
  const { data } = await person.http.get('/stripe/subscription-status')
  return { person, items, entries, plan: data.data }
}

function transcripts({ notes }: Ledgers, told: Told[]): Finding {
  const items = told.flatMap(each => each.items)
  const bad = items.filter(({ status, text }) => status !== 'completed' || !CALL_NUMBER.test(text))
  const lost = notes.length - items.length
  return {
    what: 'each note is one transcript',
    count: `${items.length - bad.length} of ${notes.length}`,
    broken: [
      ...bad.map(({ id, status, error }) => `${id} is ${status}: ${error ?? 'it has another text'}`),
      ...(lost > 0 ? [`${lost} are lost`] : []),
      ...(lost < 0 ? [`${-lost} are there twice`] : []),
    ],
  }
}

/** A process that ends by itself has been in trouble before: it gives the database half a minute to come back. */
const BEFORE_END_MS = 45_000

/** Times at which something of that name was in trouble. */
function troublesOf(names: RegExp, { processes }: World, made: Made[]): Pick<Made, 'from' | 'until'>[] {
  const ends = [...processes.values()].flatMap(({ name, exits }) => (names.test(name) ? exits : []))
  return [
    ...made.filter(({ target, hit }) => hit && names.test(target)),
    ...ends.filter(({ isAsked }) => !isAsked).map(({ at }) => ({ from: at - BEFORE_END_MS, until: at })),
  ]
}

/** A second answer is the price of a provider without idempotency keys: only where its OK could not be written down. */
function answers({ world, notes, made }: Ledgers): Finding {
  const byNote = Map.groupBy(
    world.providers.sent.filter(({ quoted }) => quoted?.startsWith('wamid.note.')),
    ({ quoted }) => quoted,
  )
  const disturbed = troublesOf(/^notification|^mongo|^database/, world, made)
  const excused = ({ at, isAnswered }: SentMessage) =>
    !isAnswered || disturbed.some(({ from, until }) => from - WINDOW_MS <= at && at <= until + WINDOW_MS)
  const broken: string[] = []
  const again: SentMessage[] = []
  for (const note of notes) {
    const sent = byNote.get(noteId(note)) ?? []
    if (!sent.length) broken.push(`note ${note.number} has no answer`)
    for (const earlier of sent.slice(0, -1)) {
      again.push(earlier)
      if (!excused(earlier)) broken.push(`note ${note.number} was answered again without need`)
    }
  }
  return {
    what: 'each note has one answer',
    count: `${byNote.size} of ${notes.length}; ${again.length} a second time, ${again.filter(({ isAnswered }) => !isAnswered).length} of them as the first OK was lost`,
    broken,
  }
}

function charges({ notes }: Ledgers, told: Told[]): Finding {
  const broken: string[] = []
  let settled = 0
  for (const { person, items, entries, plan } of told) {
    const charged = entries.filter(({ kind }) => kind === 'settled')
    settled += charged.length
    const ids = new Set(charged.map(({ transcriptionId }) => transcriptionId))
    if (ids.size < charged.length) broken.push(`${person.email} was charged twice for a note`)
    const missing = items.filter(({ id }) => !ids.has(id))
    if (missing.length) broken.push(`${person.email} was not charged for ${missing.length} notes`)
    const minutes = items.reduce((sum, { durationSeconds }) => sum + (durationSeconds ?? 0), 0) / 60
    const left = plan.subscription_minutes - minutes
    if (Math.abs(plan.used_minutes - minutes) > 0.11 || Math.abs(plan.remaining_minutes - left) > 0.11)
      broken.push(
        `${person.email} has ${plan.used_minutes} used and ${plan.remaining_minutes} left, the notes took ${minutes}`,
      )
  }
  return { what: 'each note is charged once', count: `${settled} of ${notes.length}`, broken }
}

/** A call whose text is nobody's transcript was made in vain: only a trouble right then excuses that. */
function engineCalls({ world, notes, made }: Ledgers, told: Told[]): Finding {
  const used = new Set(
    told.flatMap(({ items }) => items.map(({ text }) => Number(CALL_NUMBER.exec(text)?.[1]))),
  )
  const wasted = world.providers.calls.filter(({ number }) => !used.has(number))
  const disturbed = troublesOf(/^transcription|^mongo|^database|^speech/, world, made)
  const needless = wasted.filter(
    ({ startedAt, endedAt }) =>
      !disturbed.some(({ from, until }) => startedAt <= until + WINDOW_MS && from <= endedAt + WINDOW_MS),
  )
  return {
    what: 'the engine is not called in vain',
    count: `${world.providers.calls.length} calls for ${notes.length} notes, ${wasted.length} cut off`,
    broken: needless.map(({ number, key }) => `call ${number} (${key}) was made without need`),
  }
}

/** Events that wait in outboxes: every replica sees all of its service's. */
async function outboxes({ world }: Ledgers): Promise<Finding> {
  const broken: string[] = []
  for (const { name, metrics } of world.processes.values()) {
    const [, seconds = '0'] = /^outbox_oldest_event_seconds\{.*\} (\S+)$/m.exec(await metrics()) ?? []
    if (Number(seconds) > 0)
      broken.push(`${name} sees an event that has waited for ${Math.round(Number(seconds))} s`)
  }
  return { what: 'no event waits to be sent', count: broken.length ? `some` : 'none', broken }
}

async function messages({ world }: Ledgers): Promise<Finding> {
  const rows = (await world.rabbit.control('list_queues', 'name', 'messages', '--no-table-headers'))
    .trim()
    .split('\n')
  const full = rows.map(row => row.split('\t')).filter(([, count]) => count && count !== '0')
  return {
    what: 'no message is left over',
    count: `${rows.length} queues are empty but for ${full.length}`,
    broken: full.map(([name, count]) => `${name} has ${count}`),
  }
}

function files({ world, notes }: Ledgers): Finding {
  const blobs = join(world.folder, 'blobs')
  const stored = existsSync(blobs)
    ? readdirSync(blobs, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile())
    : []
  return {
    what: 'each note is stored once',
    count: `${stored.length} recordings`,
    broken: stored.length === notes.length ? [] : [`${stored.length} recordings of ${notes.length} notes`],
  }
}

/** The services' names for what is theirs among the temporary files. */
const OWNERS = { 'voxscribe-note-': 'transcription', 'voxscribe-media-': 'ingestion' }

/** Once all processes have ended: only SIGKILL leaves something, and only what is older. It goes by its age. */
export function leftovers({ temporary, processes }: World): Finding {
  const left = readdirSync(temporary)
  const excused = (name: string) => {
    const [, owner] = Object.entries(OWNERS).find(([prefix]) => name.startsWith(prefix)) ?? []
    const { mtimeMs } = statSync(join(temporary, name))
    return [...processes.values()].some(
      ({ name: process, exits }) =>
        owner &&
        process.startsWith(owner) &&
        exits.some(({ signal, at }) => signal === 'SIGKILL' && mtimeMs <= at),
    )
  }
  return {
    what: 'no temporary file is left over',
    count: `${left.filter(excused).length} of processes that were killed, which go within the hour`,
    broken: left.filter(name => !excused(name)).map(name => `${name} belongs to nobody`),
  }
}

/** Not promises, but worth knowing: those that have lost their database or broker start again. */
export const endings = (world: World): Finding[] => [
  { what: 'processes that ended by themselves', count: listed(world, ({ isAsked }) => !isAsked), broken: [] },
  {
    what: 'processes that were cut off at their end',
    count: listed(world, ({ isLate }) => isLate),
    broken: [],
  },
]

function listed({ processes, database }: World, which: (exit: Exit) => boolean): string {
  const counts = [...processes.values(), database].map(({ name, exits }) => ({
    name,
    times: exits.filter(which).length,
  }))
  const found = counts.filter(({ times }) => times)
  return found.map(({ name, times }) => `${name} ${times}`).join(', ') || 'none'
}

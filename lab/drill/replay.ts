import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { isBuyer, mails, payments } from './bought.ts'
import { excusesOf } from './excuses.ts'
import type { Finding, Ledgers, Statement } from './ledgers.ts'
import { noteId, type Person } from './people.ts'
import type { Errand } from './plan.ts'
import type { Exit } from './processes.ts'
import type { SentMessage } from './providers.ts'
import type { World } from './world.ts'

/** The notice of a long wait, sent before the answer, at most once. */
const WAIT = /^I(?: have your note\.|’m working on it\.| can’t get “)/
const CALL_NUMBER = /call number (\d+)/

/** Compares the system's state with the ledgers outside of it. Throws if a request fails. */
export async function replay(ledgers: Ledgers): Promise<Finding[]> {
  const statements = await Promise.all(
    ledgers.people.map((person, index) => ask(person, ledgers.errands[index]!)),
  )
  return [
    transcripts(ledgers, statements),
    answers(ledgers),
    charges(ledgers, statements),
    engineCalls(ledgers, statements),
    await payments(ledgers, statements),
    await mails(ledgers, statements),
    await outboxes(ledgers),
    await messages(ledgers),
    files(ledgers),
    leftByKilled(ledgers),
  ]
}

async function ask(person: Person, errands: Errand[]): Promise<Statement> {
  const all = async <T>(path: string, of: string): Promise<T[]> => {
    const items: T[] = []
    for (let page = 1; ; page += 1) {
      const { data } = await person.http.get(path, { params: { page, limit: 100 } })
      const found = data.data[of] as T[]
      items.push(...found)
      if (found.length < 100) return items
    }
  }
  const { data } = await person.http.get('/stripe/subscription-status')
  return {
    person,
    errands,
    items: await all('/transcriptions', 'transcriptions'),
    entries: await all('/stripe/usage', 'usage'),
    paid: await all('/stripe/payment-history', 'payments'),
    plan: data.data,
  }
}

function transcripts({ notes }: Ledgers, statements: Statement[]): Finding {
  const items = statements.flatMap(each => each.items)
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

/** WhatsApp has no idempotency keys: a second answer is only excused if the first response couldn't be stored. */
function answers(ledgers: Ledgers): Finding {
  const { world, notes } = ledgers
  const quoting = world.providers.sent.filter(({ quoted }) => quoted?.startsWith('wamid.note.'))
  const [waits, texts] = [true, false].map(isWait =>
    Map.groupBy(
      quoting.filter(({ text }) => WAIT.test(text) === isWait),
      ({ quoted }) => quoted,
    ),
  )
  const isExcused = excusesOf(/^notification|^mongo|^database/, ledgers)
  const broken: string[] = []
  const again: SentMessage[] = []
  for (const note of notes) {
    const id = noteId(note)
    if (!texts!.has(id)) broken.push(`note ${note.number} has no answer`)
    for (const sent of [texts!.get(id) ?? [], waits!.get(id) ?? []])
      for (const earlier of sent.slice(0, -1)) {
        again.push(earlier)
        if (earlier.isAnswered && !isExcused(earlier.at))
          broken.push(`note ${note.number} was answered twice without a fault`)
      }
  }
  const unheard = again.filter(({ isAnswered }) => !isAnswered).length
  return {
    what: 'each note has one answer',
    count: `${texts!.size} of ${notes.length}; ${again.length} a second time, ${unheard} of them as the first response was lost; ${waits!.size} were preceded by the notice of a long wait`,
    broken,
  }
}

/** Minutes are shown to one decimal. */
const ROUNDED = 0.11

function charges({ notes }: Ledgers, statements: Statement[]): Finding {
  const broken: string[] = []
  let settled = 0
  for (const { person, errands, items, entries, plan } of statements) {
    const charged = entries.filter(({ reserved }) => !reserved)
    settled += charged.length
    const ids = new Set(charged.map(({ transcriptionId }) => transcriptionId))
    if (ids.size < charged.length) broken.push(`${person.email} was charged twice for a note`)
    const missing = items.filter(({ id }) => !ids.has(id))
    if (missing.length) broken.push(`${person.email} was not charged for ${missing.length} notes`)
    const minutes = items.reduce((sum, { durationSeconds }) => sum + (durationSeconds ?? 0), 0) / 60
    const { subscription_minutes: total, used_minutes: used, remaining_minutes: left } = plan
    // Each paid period begins with all of its minutes.
    const isUsed = isBuyer(errands) ? used <= minutes + ROUNDED : Math.abs(used - minutes) <= ROUNDED
    if (!isUsed || Math.abs((total ?? 0) - used - (left ?? 0)) > ROUNDED)
      broken.push(`${person.email} has ${used} used and ${left} left, the notes took ${minutes}`)
  }
  return { what: 'each note is charged once', count: `${settled} of ${notes.length}`, broken }
}

/** A call whose text is in no transcript was wasted, which only a fault at that time excuses. */
function engineCalls(ledgers: Ledgers, statements: Statement[]): Finding {
  const { world, notes } = ledgers
  const used = new Set(
    statements.flatMap(({ items }) => items.map(({ text }) => Number(CALL_NUMBER.exec(text)?.[1]))),
  )
  const wasted = world.providers.calls.filter(({ number }) => !used.has(number))
  const isExcused = excusesOf(/^transcription|^mongo|^database|^speech/, ledgers)
  const needless = wasted.filter(({ startedAt, endedAt }) => !isExcused(startedAt, endedAt))
  return {
    what: 'no engine call is wasted',
    count: `${world.providers.calls.length} calls for ${notes.length} notes, ${wasted.length} wasted`,
    broken: needless.map(({ number, key }) => `call ${number} (${key}) was wasted without a fault`),
  }
}

/** Checks for events waiting in outboxes; every replica reports those of its service. */
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
  const blobs = join(world.files, 'blobs')
  const stored = existsSync(blobs)
    ? readdirSync(blobs, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile())
    : []
  return {
    what: 'each note is stored once',
    count: `${stored.length} recordings`,
    broken: stored.length === notes.length ? [] : [`${stored.length} recordings of ${notes.length} notes`],
  }
}

/** Returns temporary files with the process ids in their names. */
const temporaryFiles = ({ temporary }: World) =>
  readdirSync(temporary).map(name => ({ name, pid: Number(/^voxscribe-(\d+)-/.exec(name)?.[1]) }))

/** Checks files while all processes run: a service deletes those of its killed processes when it starts. */
function leftByKilled({ world }: Ledgers): Finding {
  const left = temporaryFiles(world).filter(({ pid }) => !isRunning(pid))
  return {
    what: 'temporary files of killed processes are gone',
    count: left.length ? `all but ${left.length}` : 'all of it',
    broken: left.map(({ name }) => `${name} belongs to no process that runs`),
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** Checks files after all processes have exited: only a killed one leaves files, for the next start of its service. */
export function leftovers(world: World): Finding {
  const exits = [...world.processes.values()].flatMap(({ exits }) => exits)
  const cutOff = new Set(exits.filter(({ signal }) => signal === 'SIGKILL').map(({ pid }) => pid))
  const [excused, broken] = [true, false].map(isExcused =>
    temporaryFiles(world).filter(({ pid }) => cutOff.has(pid) === isExcused),
  )
  return {
    what: 'no temporary file is left over',
    count: `${excused!.length} of processes that were killed at their end`,
    broken: broken!.map(({ name }) => `${name} is left of a process that ended in order`),
  }
}

/** Returns facts that aren't promises: processes that have lost their database or broker are restarted. */
export const endings = (world: World): Finding[] => [
  { what: 'processes that ended by themselves', count: listed(world, ({ isAsked }) => !isAsked), broken: [] },
  {
    what: 'processes that were killed at their end',
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

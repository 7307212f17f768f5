import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { runErrands } from './errands.ts'
import { type Made, makeAll } from './faults.ts'
import type { Finding } from './ledgers.ts'
import { recordings, sendNote, signUpAll } from './people.ts'
import { type Plan, planOf } from './plan.ts'
import { endings, leftovers, replay } from './replay.ts'
import { startWorld, type World } from './world.ts'

/**
 * Gives up after this time without progress. Longer than the bus's delay of two minutes, in which a message may wait
 * after two failures of its provider. Settling as a whole may take longer on a slow machine.
 */
const STUCK_AFTER_MS = 150_000
const LOOK_AGAIN_MS = 1_000

export interface Result {
  findings: Finding[]
  made: Made[]
  /** Milliseconds from the last fault until every promise held; null if one never did. */
  settledMs: number | null
  /** Keeps the logs if something is broken. */
  folder: string
}

const brokenIn = (findings: Finding[]) => findings.reduce((sum, { broken }) => sum + broken.length, 0)

/** Injects the faults of a plan, then compares the ledgers. */
export async function drill(numbers: { seed: number; kills: number; notes: number }): Promise<Result> {
  const plan = planOf(numbers)
  const world = await startWorld(numbers.notes)
  // Also keeps the logs of a drill that throws.
  let isKept = true
  try {
    const result = await breakAndCount(world, plan).finally(world.end)
    result.findings.push(leftovers(world), ...endings(world))
    isKept = brokenIn(result.findings) > 0
    if (isKept) await keepLedgers(world, result.made)
    return result
  } finally {
    await world.remove({ isKept })
  }
}

/** Writes the providers' ledgers next to the logs. */
async function keepLedgers({ folder, providers: { sent, calls }, processes }: World, made: Made[]) {
  const exits = Object.fromEntries([...processes].map(([name, process]) => [name, process.exits]))
  await writeFile(join(folder, 'logs', 'ledgers.json'), JSON.stringify({ made, exits, calls, sent }, null, 1))
}

async function breakAndCount(world: World, plan: Plan): Promise<Result> {
  const people = await signUpAll(world, plan.people)
  for (const [id, file] of await recordings(plan.notes)) world.providers.files.set(id, file)
  const startedAt = Date.now()
  const sending = plan.notes.map(note => sendNote(world, people[note.person]!, note, startedAt))
  const running = people.map((person, index) => runErrands(world, person, plan.errands[index]!, startedAt))
  // Awaited together, so that an error in one of them ends the drill and everything that it has started.
  const [{ made, over }, undoneOf] = await Promise.all([
    makeAll(world, plan.faults, startedAt).then(made => ({ made, over: Date.now() })),
    Promise.all(running),
    Promise.all(sending),
  ])
  const undone = undoneOf.flat()
  const ledgers = { world, notes: plan.notes, people, errands: plan.errands, undone, made }
  let fewest = Number.POSITIVE_INFINITY
  let progressAt = over
  for (;;) {
    const findings = await replay(ledgers).catch((error: Error) => [
      { what: 'the system answers', count: 'no', broken: [error.message] },
    ])
    const left = brokenIn(findings)
    if (left < fewest) [fewest, progressAt] = [left, Date.now()]
    if (!left || Date.now() - progressAt > STUCK_AFTER_MS)
      return { findings, made, settledMs: left ? null : Date.now() - over, folder: world.folder }
    await wait(LOOK_AGAIN_MS)
  }
}

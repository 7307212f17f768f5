import { setTimeout as wait } from 'node:timers/promises'
import { recordings, sendNote, signUpAll } from './people.ts'
import { type Plan, planOf } from './plan.ts'
import { endings, type Finding, leftovers, replay } from './replay.ts'
import { type Made, makeAll } from './troubles.ts'
import { startWorld, type World } from './world.ts'

/** How long after the last trouble everything must be done. */
const SETTLED_WITHIN_MS = 60_000
const LOOK_AGAIN_MS = 1_000

export interface Result {
  findings: Finding[]
  made: Made[]
  /** From the last trouble until all was as it should be, in milliseconds; null when that did not come. */
  settledMs: number | null
  /** Holds the logs when something is broken. */
  folder: string
}

const isSound = (findings: Finding[]) => findings.every(({ broken }) => !broken.length)

/** Breaks everything by the plan of these numbers, and counts. */
export async function drill(numbers: { seed: number; kills: number; notes: number }): Promise<Result> {
  const plan = planOf(numbers)
  const world = await startWorld()
  let result: Result | undefined
  try {
    result = await breakAndCount(world, plan)
  } finally {
    await world.end()
  }
  result.findings.push(leftovers(world), ...endings(world))
  if (isSound(result.findings)) await world.remove()
  return result
}

async function breakAndCount(world: World, plan: Plan): Promise<Result> {
  const people = await signUpAll(world, plan.people)
  for (const [id, file] of await recordings(plan.notes)) world.providers.files.set(id, file)
  const startedAt = Date.now()
  const sending = plan.notes.map(note => sendNote(world, people[note.person]!, note, startedAt))
  const made = await makeAll(world, plan.troubles, startedAt)
  const over = Date.now()
  await Promise.all(sending)
  const ledgers = { world, notes: plan.notes, people, made }
  for (;;) {
    const findings = await replay(ledgers).catch((error: Error) => [
      { what: 'the system answers', count: 'no', broken: [error.message] },
    ])
    const settledMs = Date.now() - over
    const isSettled = isSound(findings)
    if (isSettled || settledMs > SETTLED_WITHIN_MS)
      return { findings, made, settledMs: isSettled ? settledMs : null, folder: world.folder }
    await wait(LOOK_AGAIN_MS)
  }
}

import { type Engines, knows } from '../engines/choice.ts'

type Languages = 'all' | readonly string[]

/** The broadcast of a process: the languages of its engines, and of the model that is being fetched for it. */
interface Speaks {
  speaks: { owner: string; languages: Languages; expected: readonly string[] }
}

interface Deps {
  engines: Pick<Engines, 'languages' | 'expected'>
  owner: string
  /** Whether this service has no other process. */
  isAlone: boolean
  /** How often each process broadcasts its languages. */
  everyMs: number
  broadcast(data: Speaks): void
  elapsed?: () => number
}

/** Broadcasts may get lost: a process is forgotten after this many of its rounds. */
const ROUNDS = 3

/** Neither needs an engine: silence, and a note that has yet to be measured. */
export const NEEDS_NO_ENGINE = [{ isSilent: true }, { durationSeconds: null }]

const union = (all: Languages[]): Languages =>
  all.includes('all') ? 'all' : all.flatMap(languages => (languages === 'all' ? [] : languages))

/** Languages of the other processes, by their broadcasts: what only these know is left to them. */
export function createReplicas({
  engines,
  owner,
  isAlone,
  everyMs,
  broadcast,
  elapsed = () => performance.now(),
}: Deps) {
  const heard = new Map<string, Speaks['speaks'] & { at: number }>()
  const startedAt = isAlone ? Number.NEGATIVE_INFINITY : elapsed()
  const isRecent = (at: number) => elapsed() - at < ROUNDS * everyMs

  /** The newest broadcasts of the other processes. */
  function others(): Speaks['speaks'][] {
    for (const [name, { at }] of heard) if (!isRecent(at)) heard.delete(name)
    return [...heard.values()]
  }

  /** Languages that the others know, or soon will. Until each of them has broadcast, they may know all. */
  function theirs(): Languages {
    if (isRecent(startedAt)) return 'all'
    return union(others().flatMap(({ languages, expected }) => [languages, expected]))
  }

  return {
    async announce(): Promise<void> {
      if (isAlone) return
      broadcast({ speaks: { owner, languages: engines.languages(), expected: engines.expected() } })
    },

    /** Takes in another process's broadcast; false when the data is not one. */
    receive(data: unknown): boolean {
      const { speaks } = data as Partial<Speaks>
      if (speaks && speaks.owner !== owner) heard.set(speaks.owner, { ...speaks, at: elapsed() })
      return speaks !== undefined
    },

    /** Whether a note has to wait: no process has an engine, or the model for its language is being fetched. */
    mustWait(language: string): boolean {
      const known = union([engines.languages(), ...others().map(each => each.languages)])
      if (!known.length) return true
      const expected = [engines.expected(), ...others().map(each => each.expected)].flat()
      return !knows({ languages: known }, language) && knows({ languages: expected }, language)
    },

    /** The filter for notes that are not better left to another process. */
    notTheirs(): object {
      const [ours, others] = [engines.languages(), theirs()]
      if (ours === 'all' || !others.length) return {}
      if (!ours.length) return { $or: NEEDS_NO_ENGINE }
      const isOurs =
        others === 'all'
          ? { $in: [...ours, 'auto'] }
          : { $nin: others.filter(language => !ours.includes(language)) }
      return { $or: [{ language: isOurs }, ...NEEDS_NO_ENGINE] }
    },
  }
}
export type Replicas = ReturnType<typeof createReplicas>

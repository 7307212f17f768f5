import type { Engines } from '../engines/choice.ts'

type Languages = 'all' | readonly string[]

/** The broadcast of a process: what its engines know. */
interface Speaks {
  speaks: { owner: string; languages: Languages }
}

interface Deps {
  engines: Pick<Engines, 'languages'>
  /** This process. */
  owner: string
  /** Whether this service has no other process. */
  isAlone: boolean
  /** How often each process says what it knows. */
  everyMs: number
  tell(data: Speaks): void
  elapsed?: () => number
}

/** Broadcasts may get lost: a process is forgotten after this many of its rounds. */
const ROUNDS = 3

const union = (all: Languages[]): Languages =>
  all.includes('all') ? 'all' : all.flatMap(languages => (languages === 'all' ? [] : languages))

/**
 * The languages that the other processes know, as each tells the others from time to time. A process leaves a note to
 * them that it cannot recognise itself; what none of them knows it claims, so that the note fails and says why.
 */
export function createNeighbours({
  engines,
  owner,
  isAlone,
  everyMs,
  tell,
  elapsed = () => performance.now(),
}: Deps) {
  const heard = new Map<string, { languages: Languages; at: number }>()
  const startedAt = elapsed()
  const isRecent = (at: number) => elapsed() - at < ROUNDS * everyMs

  /** Languages of the others. Until each of them has told, they may know all. */
  function theirs(): Languages {
    if (isAlone) return []
    if (isRecent(startedAt)) return 'all'
    for (const [name, { at }] of heard) if (!isRecent(at)) heard.delete(name)
    return union([...heard.values()].map(({ languages }) => languages))
  }

  return {
    /** Tells the other processes what this one knows. */
    async say(): Promise<void> {
      if (!isAlone) tell({ speaks: { owner, languages: engines.languages() } })
    },

    /** Takes in another process's broadcast; false when the data is not one. */
    hear(data: unknown): boolean {
      const { speaks } = data as Partial<Speaks>
      if (speaks && speaks.owner !== owner) heard.set(speaks.owner, { ...speaks, at: elapsed() })
      return speaks !== undefined
    },

    /** Whether any process may have an engine. */
    haveEngine: (): boolean =>
      [...heard.values()].some(({ languages, at }) => isRecent(at) && languages.length > 0),

    /** The filter for notes that are not better left to another process. */
    notTheirs(): object {
      const [ours, others] = [engines.languages(), theirs()]
      if (ours === 'all' || !others.length) return {}
      const isOurs = { language: { $in: ours.length ? [...ours, 'auto'] : [] } }
      // Neither needs a language: silence, and a note that has yet to be measured.
      const needsNone = [{ isSilent: true }, { durationSeconds: null }]
      if (others === 'all') return { $or: [isOurs, ...needsNone] }
      const known = others.filter(language => !ours.includes(language))
      return { $or: [{ language: { $nin: ours.length ? known : [...known, 'auto'] } }, ...needsNone] }
    },
  }
}
export type Neighbours = ReturnType<typeof createNeighbours>

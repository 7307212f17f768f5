import { z } from 'zod'

/** The broadcast of a process: people for whom it has an open page or a waiting call; `isAll`: it has no others. */
const Listens = z.object({
  listens: z.object({ owner: z.string(), users: z.array(z.string()), isAll: z.boolean() }),
})
/** The broadcast of a process that has just started, and knows of no other. */
const Asks = z.object({ whoListens: z.string() })

interface Deps {
  /** This process. */
  me: string
  broadcast(data: z.infer<typeof Listens> | z.infer<typeof Asks>): void
  /** People with a listener in this process. */
  usersHere(): string[]
  elapsed?: () => number
}

/** How often each process broadcasts for whom it listens. */
export const LISTENS_EVERY_MS = 10_000
/** Broadcasts may get lost: a process is forgotten after this many of its rounds. */
const ROUNDS = 3

/** The listeners in the other processes: changes are sent to these alone, however many processes there are. */
export function createListeners({ me, broadcast, usersHere, elapsed = () => performance.now() }: Deps) {
  const others = new Map<string, { users: Set<string>; at: number }>()
  let hasAsked = false
  let hasAnnounced = false

  function announceAll(): void {
    const users = usersHere()
    if (users.length || hasAnnounced) broadcast({ listens: { owner: me, users, isAll: true } })
    hasAnnounced = users.length > 0
  }

  return {
    /** The first listener for a person is here. */
    begun(userId: string): void {
      hasAnnounced = true
      broadcast({ listens: { owner: me, users: [userId], isAll: false } })
    },

    /** Broadcasts for whom this process listens; at the first call asks the others, too. */
    async announce(): Promise<void> {
      if (!hasAsked) broadcast({ whoListens: me })
      hasAsked = true
      announceAll()
    },

    /** Takes in another process's broadcast; false when the data is not one. */
    receive(data: unknown): boolean {
      const asks = Asks.safeParse(data)
      if (asks.success && asks.data.whoListens !== me) announceAll()
      const announced = Listens.safeParse(data)
      if (!announced.success) return asks.success
      const { owner, users, isAll } = announced.data.listens
      const before = isAll ? [] : (others.get(owner)?.users ?? [])
      if (owner !== me) others.set(owner, { users: new Set([...before, ...users]), at: elapsed() })
      return true
    },

    /** The other processes with a listener for a person. */
    of(userId: string): string[] {
      for (const [owner, { at }] of others)
        if (elapsed() - at >= ROUNDS * LISTENS_EVERY_MS) others.delete(owner)
      return [...others].filter(([, { users }]) => users.has(userId)).map(([owner]) => owner)
    },
  }
}

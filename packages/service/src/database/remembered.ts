/** More people than write in an hour; beyond that the cache is cleared. */
const MOST = 10_000

/** Caches what is read of collections that rarely change, until a write; nothing where other processes write too. */
export function createRemembered(isAlone: boolean) {
  const known = new Map<string, Promise<unknown>>()
  let writes = 0
  return {
    /** Returns the cached result of this name, or reads it. */
    read<T>(name: string, read: () => Promise<T>): Promise<T> {
      const before = known.get(name) as Promise<T> | undefined
      if (before) return before
      const reading = read()
      if (!isAlone || writes) return reading
      if (known.size >= MOST) known.clear()
      known.set(name, reading)
      // A failure is not cached.
      reading.catch(() => known.delete(name))
      return reading
    },
    /** Runs a write, and clears all results that were read before its end. */
    async write<T>(write: () => Promise<T>): Promise<T> {
      writes += 1
      known.clear()
      try {
        return await write()
      } finally {
        writes -= 1
        // A write whose answer was lost may still take effect.
        known.clear()
      }
    },
  }
}

/** More senders than write in an hour; then all are read again. */
const MOST = 10_000

export interface Remembered {
  /** Returns what was read under that name, or reads it. */
  read<T>(name: string, read: () => Promise<T>): Promise<T>
  /** Runs a write of what is read here: nothing counts that was read before its end. */
  write<T>(write: () => Promise<T>): Promise<T>
}

/**
 * Remembers who senders are until one of them changes: most webhooks come from people who wrote before. `isAlone`: no
 * other process writes to these collections; else nothing is remembered.
 */
export function createRemembered(isAlone: boolean): Remembered {
  const known = new Map<string, Promise<unknown>>()
  let writes = 0
  return {
    read<T>(name: string, read: () => Promise<T>): Promise<T> {
      const before = known.get(name) as Promise<T> | undefined
      if (before) return before
      const reading = read()
      if (!isAlone || writes) return reading
      if (known.size >= MOST) known.clear()
      known.set(name, reading)
      // Whoever asked is told; the next one asks again.
      reading.catch(() => known.delete(name))
      return reading
    },
    async write(write) {
      writes += 1
      known.clear()
      try {
        return await write()
      } finally {
        writes -= 1
        // A write whose answer was lost may still come to pass: nothing is kept from before its end.
        known.clear()
      }
    },
  }
}

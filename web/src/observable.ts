/** A value outside of React; `useSyncExternalStore` renders again when it is set. */
export function observable<T>(first: T) {
  let value = first
  const listeners = new Set<() => void>()
  return {
    get: () => value,
    set(next: T) {
      value = next
      for (const listener of listeners) listener()
    },
    subscribe(listener: () => void) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

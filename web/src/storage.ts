/** Entries that the browser refused, because storage is blocked or full. They last while the page is open. */
const inMemory = new Map<string, string>()

/** Reads an entry of the browser's storage; null if there is none. */
export function readStored(key: string): string | null {
  try {
    return inMemory.get(key) ?? localStorage.getItem(key)
  } catch {
    return null
  }
}

/** Stores an entry for later visits, or else for this one. Returns whether the browser stored it. */
export function writeStored(key: string, value: string): boolean {
  removeStored(key)
  try {
    localStorage.setItem(key, value)
    return true
  } catch {
    inMemory.set(key, value)
    return false
  }
}

export function removeStored(key: string) {
  inMemory.delete(key)
  try {
    localStorage.removeItem(key)
  } catch {
    // Blocked storage holds nothing to remove.
  }
}

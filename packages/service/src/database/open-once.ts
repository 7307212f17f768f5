/**
 * Opens something on the first call and returns it to all later ones. A failure isn't kept: the next call tries again.
 */
export function openOnce<T>(open: () => Promise<T>): () => Promise<T> {
  let opened: Promise<T> | undefined
  return () => {
    opened ??= open().catch(error => {
      opened = undefined
      throw error
    })
    return opened
  }
}

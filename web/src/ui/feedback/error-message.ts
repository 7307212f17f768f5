/** Returns the words for a person: the error's own unless it is the browser's, else the fallback of the screen. */
export const messageOf = (error: unknown, fallback: string): string =>
  (error instanceof Error && !(error instanceof DOMException) && error.message) || fallback

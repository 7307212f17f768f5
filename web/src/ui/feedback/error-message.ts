/** Returns the words for a person: the error's own, else the fallback of the screen. */
export const messageOf = (error: unknown, fallback: string): string =>
  (error instanceof Error && error.message) || fallback

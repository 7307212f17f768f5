/** Returns the words for a person: the error's own, else the fallback of the screen. */
export const messageOf = (error: unknown, fallback: string): string =>
  (error instanceof Error && error.message) || fallback

/** Returns the server's words on one field of a form. */
export function fieldErrorOf(error: unknown, field: string): string | undefined {
  const { errors } = Object(error) as { errors?: { field: string; message: string }[] }
  return errors?.find(entry => entry.field === field)?.message
}

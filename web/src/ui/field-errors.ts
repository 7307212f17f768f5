import type { FieldValues, Path, UseFormSetError } from 'react-hook-form'
import { fieldErrorOf } from '../api/errors.ts'

/** Puts the server's words beside the fields that they are about. */
export function showFieldErrors<Values extends FieldValues>(
  error: unknown,
  fields: readonly Path<Values>[],
  setError: UseFormSetError<Values>,
) {
  for (const field of fields) {
    const message = fieldErrorOf(error, field)
    if (message) setError(field, { type: 'server', message })
  }
}

import {
  type FieldError,
  type FieldValues,
  get,
  type Path,
  type UseFormReturn,
  type UseFormSetError,
} from 'react-hook-form'
import { fieldErrorOf } from './error-message.ts'

/** Returns a field’s props from its form: its registration and its error. */
export const fieldsOf =
  <Values extends FieldValues>({
    register,
    formState,
  }: Pick<UseFormReturn<Values>, 'register' | 'formState'>) =>
  (name: Path<Values>) => {
    const error: FieldError | undefined = get(formState.errors, name)
    return { ...register(name), error: error?.message }
  }

/** Shows the server's messages at the fields that they are about. */
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

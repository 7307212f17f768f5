import type { z } from 'zod'
import { i18n } from '../language/i18n.ts'
import { PasswordField } from '../ui/form/field.tsx'

/** Checks that both entries of a password are equal; the arguments of a schema's `refine`. */
export const enteredTwice = (name: 'password' | 'newPassword') =>
  [
    (values: Record<string, unknown>) => values[name] === values.confirm,
    { path: ['confirm'], message: /*i18n*/ 'Passwords do not match' },
  ] as const satisfies [unknown, z.core.$ZodCustomParams]

interface NewPasswordFieldsProps {
  /** Minimum length in characters. */
  min: number
  /** Returns the props of one of the form's fields. */
  field(name: 'newPassword' | 'confirm'): object
}

export const NewPasswordFields = ({ min, field }: NewPasswordFieldsProps) => (
  <>
    <PasswordField
      label={i18n.t('New password')}
      autoComplete="new-password"
      hint={i18n.t('At least {min} characters', { min })}
      {...field('newPassword')}
    />
    <PasswordField label={i18n.t('Confirm new password')} autoComplete="new-password" {...field('confirm')} />
  </>
)

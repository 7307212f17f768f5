import type { z } from 'zod'
import { i18n } from '../language/i18n.ts'
import { PasswordField } from '../ui/form/field.tsx'

/** Refines the values of a form in which a password is entered twice. */
export const enteredTwice = (name: 'password' | 'newPassword') =>
  [
    (values: Record<string, unknown>) => values[name] === values.confirm,
    { path: ['confirm'], message: /*i18n*/ 'Passwords do not match' },
  ] as const satisfies [unknown, z.core.$ZodCustomParams]

interface NewPasswordFieldsProps {
  /** Characters. */
  min: number
  /** Returns the props of a field of the form. */
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

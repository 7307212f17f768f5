import { SIGNUP_PASSWORD_MIN } from '@voxscribe/contracts/business'
import type { ReactNode } from 'react'

export const isLongEnough = (password: string): boolean => password.length >= SIGNUP_PASSWORD_MIN

/** A rule, and whether the entry meets it: by sign, colour and, for screen readers, in words. */
export const PasswordHint = ({ met, children }: { met: boolean; children: ReactNode }) => (
  <span className={met ? 'text-good' : 'text-soft'} aria-live="polite">
    <span aria-hidden="true">{met ? '✓ ' : '• '}</span>
    <span>{children}</span>
    {met && <span className="sr-only"> (done)</span>}
  </span>
)

/** Empty until the second entry begins. */
export function confirmHint(password: string, confirm: string): ReactNode {
  if (!confirm) return undefined
  return password === confirm ? (
    <PasswordHint met>Passwords match</PasswordHint>
  ) : (
    <span className="font-medium text-bad" aria-live="polite">
      Passwords do not match
    </span>
  )
}

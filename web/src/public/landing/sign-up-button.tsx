import { useOpenToAll } from '../../api/installation.tsx'
import { i18n } from '../../language/i18n.ts'
import { ButtonLink } from '../../ui/action/button.tsx'

/** Leads to a new account, or where there is none for everybody, to the sign-in. */
export const SignUpButton = () =>
  useOpenToAll() ? (
    <ButtonLink to="/signup">{i18n.t('Sign Up')}</ButtonLink>
  ) : (
    <ButtonLink to="/signin">{i18n.t('Sign In')}</ButtonLink>
  )

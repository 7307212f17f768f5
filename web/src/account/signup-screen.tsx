import { useCountries } from '../phone/countries.ts'
import { LoadError } from '../ui/load-error.tsx'
import { TextLink } from '../ui/text-link.tsx'
import { AccountPage } from './account-page.tsx'
import { SignupForm } from './signup-form.tsx'

export default function SignupScreen() {
  const countries = useCountries()
  return (
    <AccountPage
      wide
      title="Create Account"
      intro="30 minutes free every month. No card needed."
      below={
        <>
          Already have an account? <TextLink to="/signin">Sign in</TextLink>
        </>
      }
    >
      <LoadError of={[countries]} fallback="Failed to load countries or languages" className="mb-6" />
      <SignupForm countries={countries.data ?? []} />
    </AccountPage>
  )
}

import { Link } from 'react-router-dom'
import { useCountries } from '../../api/countries.ts'
import { messageOf } from '../../api/errors.ts'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
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
          Already have an account?{' '}
          <Link to="/signin" className="link">
            Sign in
          </Link>
        </>
      }
    >
      {countries.isError && (
        <Banner
          className="mb-6"
          action={
            <Button variant="quiet" size="small" onClick={() => void countries.refetch()}>
              Try again
            </Button>
          }
        >
          {messageOf(countries.error, 'Failed to load countries or languages')}
        </Banner>
      )}
      <SignupForm countries={countries.data ?? []} />
    </AccountPage>
  )
}

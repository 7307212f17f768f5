import { useEffect } from 'react'
import { Link, useNavigate } from 'react-router-dom'
import { AccountPage } from './account-page.tsx'

const MOVES_ON_AFTER = 3_000

/** Confirms the reset, and goes to /signin after three seconds. */
export function ResetDone() {
  const navigate = useNavigate()
  useEffect(() => {
    const timer = setTimeout(() => navigate('/signin'), MOVES_ON_AFTER)
    return () => clearTimeout(timer)
  }, [navigate])
  return (
    <AccountPage title="Password Reset Successful" afterForm>
      <p role="status" className="text-lg">
        Your password has been changed. Taking you to the sign-in page…
      </p>
      <p className="mt-4">
        <Link to="/signin" className="link">
          Sign in now
        </Link>
      </p>
    </AccountPage>
  )
}

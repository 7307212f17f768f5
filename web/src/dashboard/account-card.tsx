import { ButtonLink } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'

export const AccountCard = ({ email }: { email: string }) => (
  <Card aria-labelledby="account-heading">
    <h2 id="account-heading" className="text-lg">
      Account settings
    </h2>
    <p className="wrap-anywhere mt-2 text-soft">{email}</p>
    <ButtonLink to="/update-profile" variant="secondary" className="mt-4 w-full">
      Update Profile
    </ButtonLink>
  </Card>
)

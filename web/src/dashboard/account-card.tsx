import { ButtonLink } from '../ui/button.tsx'
import { TitledCard } from '../ui/card.tsx'

export const AccountCard = ({ email }: { email: string }) => (
  <TitledCard title="Account settings">
    <p className="wrap-anywhere mt-2 text-soft">{email}</p>
    <ButtonLink to="/update-profile" variant="secondary" className="mt-4 w-full">
      Update Profile
    </ButtonLink>
  </TitledCard>
)

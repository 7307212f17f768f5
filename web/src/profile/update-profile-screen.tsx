import { useCountries, useLanguages } from '../api/config.ts'
import { useProfile } from '../session/use-profile.ts'
import { Card } from '../ui/card.tsx'
import { LoadError } from '../ui/load-error.tsx'
import { Page } from '../ui/page.tsx'
import { Skeletons } from '../ui/skeleton.tsx'
import { ProfileForm } from './profile-form.tsx'

export default function UpdateProfileScreen() {
  const profile = useProfile()
  const countries = useCountries()
  const languages = useLanguages()
  const loading = profile.isPending || countries.isPending || languages.isPending
  return (
    <Page
      title="Update profile"
      intro="Who you are, where your notes come from, and what language you speak."
      className="max-w-2xl"
    >
      <LoadError of={[profile]} fallback="Failed to load profile data" />
      <LoadError of={[countries, languages]} fallback="Failed to load countries or languages" />
      {loading && (
        <Card className="mt-8 sm:p-8">
          <Skeletons className="gap-6" heights={['h-16', 'h-16', 'h-16', 'h-16']} />
        </Card>
      )}
      {!loading && profile.data && (
        <ProfileForm
          user={profile.data.user}
          countries={countries.data ?? []}
          languages={languages.data ?? []}
        />
      )}
    </Page>
  )
}

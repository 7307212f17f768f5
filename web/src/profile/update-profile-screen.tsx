import { useCountries } from '../phone/countries.ts'
import { useProfile } from '../session/use-profile.ts'
import { Card } from '../ui/card.tsx'
import { LoadError } from '../ui/load-error.tsx'
import { PageTitle } from '../ui/page-title.tsx'
import { SaysLoading, Skeleton } from '../ui/skeleton.tsx'
import { useLanguages } from './languages.ts'
import { ProfileForm } from './profile-form.tsx'

export default function UpdateProfileScreen() {
  const profile = useProfile()
  const countries = useCountries()
  const languages = useLanguages()
  const loading = profile.isPending || countries.isPending || languages.isPending
  return (
    <div className="page max-w-2xl py-10 sm:py-14">
      <PageTitle title="Update profile" />
      <p className="mt-3 text-lg text-soft">
        Who you are, where your notes come from, and what language you speak.
      </p>
      <LoadError of={[profile]} fallback="Failed to load profile data" />
      <LoadError of={[countries, languages]} fallback="Failed to load countries or languages" />
      {loading && <FormSkeleton />}
      {!loading && profile.data && (
        <ProfileForm
          user={profile.data.user}
          countries={countries.data ?? []}
          languages={languages.data ?? []}
        />
      )}
    </div>
  )
}

const FormSkeleton = () => (
  <Card className="mt-8 grid gap-6 sm:p-8">
    <SaysLoading />
    {['names', 'email', 'number', 'language'].map(name => (
      <Skeleton key={name} className="h-16" />
    ))}
  </Card>
)

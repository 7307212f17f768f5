import { useCountries } from '../../api/countries.ts'
import { messageOf } from '../../api/errors.ts'
import { useProfile } from '../../session/use-profile.ts'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useLanguages } from './languages.ts'
import { ProfileForm } from './profile-form.tsx'

interface Loading {
  isError: boolean
  isFetching: boolean
  error: unknown
  refetch(): unknown
}

export default function UpdateProfileScreen() {
  const profile = useProfile()
  const countries = useCountries()
  const languages = useLanguages()
  const loading = profile.isPending || countries.isPending || languages.isPending
  const lists = [countries, languages].filter(list => list.isError)
  return (
    <div className="page max-w-2xl py-10 sm:py-14">
      <PageTitle title="Update profile" />
      <p className="mt-3 text-lg text-soft">
        Who you are, where your notes come from, and what language you speak.
      </p>
      {profile.isError && <LoadError of={[profile]} fallback="Failed to load profile data" />}
      {lists.length > 0 && <LoadError of={lists} fallback="Failed to load countries or languages" />}
      {loading && <FormSkeleton />}
      {!loading && profile.data && (
        <ProfileForm user={profile.data} countries={countries.data ?? []} languages={languages.data ?? []} />
      )}
    </div>
  )
}

const LoadError = ({ of, fallback }: { of: Loading[]; fallback: string }) => (
  <Banner
    className="mt-6"
    action={
      <Button
        variant="secondary"
        size="small"
        busy={of.some(query => query.isFetching)}
        onClick={() => {
          for (const query of of) query.refetch()
        }}
      >
        Try again
      </Button>
    }
  >
    {messageOf(of[0]?.error, fallback)}
  </Banner>
)

const FormSkeleton = () => (
  <Card className="mt-8 grid gap-6 sm:p-8">
    <span role="status" className="sr-only">
      Loading...
    </span>
    {['names', 'email', 'number', 'language'].map(name => (
      <Skeleton key={name} className="h-16" />
    ))}
  </Card>
)

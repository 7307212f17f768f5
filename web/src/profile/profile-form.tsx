import { useMutation } from '@tanstack/react-query'
import type { CountryItem, LanguageItem, User } from '@voxscribe/contracts/http'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { CountryPicker } from '../phone/country-picker.tsx'
import { PhoneField } from '../phone/phone-field.tsx'
import { SpeechHere } from '../plan/speech-here.tsx'
import { call } from '../session/client.ts'
import { useProfileChange } from '../session/use-profile.ts'
import { Banner } from '../ui/banner.tsx'
import { Button, ButtonLink } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { fieldErrorOf, messageOf } from '../ui/error-message.ts'
import { Field, Select } from '../ui/field.tsx'
import { toast } from '../ui/toast.ts'
import { changesIn, type ProfileField, type ProfileValues, valuesOf } from './profile-change.ts'

interface ProfileFormProps {
  user: User
  countries: CountryItem[]
  languages: LanguageItem[]
}

export function ProfileForm({ user, countries, languages }: ProfileFormProps) {
  const [saved, setSaved] = useState(() => valuesOf(user))
  const form = useForm<ProfileValues>({ defaultValues: saved })
  const [problem, setProblem] = useState<string | null>(null)
  const [numberChanged, setNumberChanged] = useState(false)
  const profile = useProfileChange()
  const update = useMutation({
    mutationFn: async (changes: Partial<ProfileValues>) => {
      const { data } = await call('updateProfile', { body: changes })
      await profile.replace(data.user)
      return data.user
    },
  })
  const busy = update.isPending
  const { wtp_number: phone, country_code: country } = form.watch()

  const save = form.handleSubmit(async typed => {
    const changes = changesIn(saved, typed)
    setProblem(null)
    if (Object.keys(changes).length === 0)
      return setProblem('Please make at least one change to update your profile')
    try {
      const now = valuesOf(await update.mutateAsync(changes))
      setNumberChanged(now.wtp_number !== saved.wtp_number || now.country_code !== saved.country_code)
      setSaved(now)
      form.reset(now)
      toast('Profile updated successfully!', { type: 'success' })
    } catch (error) {
      setProblem(messageOf(error, 'Failed to update profile'))
    }
  })
  const errorOf = (field: ProfileField) => (update.isError ? fieldErrorOf(update.error, field) : undefined)
  const text = (field: 'first_name' | 'last_name' | 'email') => ({
    ...form.register(field),
    error: errorOf(field),
    disabled: busy,
  })
  const choose = (field: 'wtp_number' | 'country_code') => (value: string) =>
    form.setValue(field, value, { shouldDirty: true })
  return (
    <Card className="mt-8 sm:p-8">
      <form onSubmit={save} noValidate className="grid gap-6" aria-label="Profile">
        <div className="grid gap-6 sm:grid-cols-2">
          <Field label="First name" autoComplete="given-name" maxLength={100} {...text('first_name')} />
          <Field label="Last name" autoComplete="family-name" maxLength={100} {...text('last_name')} />
        </div>
        <Field label="Email" type="email" autoComplete="email" maxLength={254} {...text('email')} />
        <CountryPicker
          label="Country"
          countries={countries}
          value={country}
          onChange={choose('country_code')}
          error={errorOf('country_code')}
          disabled={busy || countries.length === 0}
        />
        <PhoneField
          label="Phone number"
          value={phone}
          onChange={choose('wtp_number')}
          countries={countries}
          countryId={country}
          onCountryChange={choose('country_code')}
          error={errorOf('wtp_number')}
          hint="The WhatsApp number your voice notes come from."
          disabled={busy}
        />
        <Select
          label="Expected transcript language"
          hint="Auto-detect works for most notes. Choosing a language helps with short ones."
          error={errorOf('wa_language')}
          {...form.register('wa_language')}
          options={languages}
          disabled={busy || languages.length === 0}
        />
        <SpeechHere all="every language of this list" />
        {/* Next to the button that was pressed: the form's top may be out of sight. */}
        {problem && <Banner>{problem}</Banner>}
        {numberChanged && <NumberChanged />}
        <div className="flex flex-wrap gap-3">
          <Button type="submit" busy={busy} busyLabel="Saving...">
            Update Profile
          </Button>
          <ButtonLink to="/dashboard" variant="secondary">
            Back to dashboard
          </ButtonLink>
        </div>
      </form>
    </Card>
  )
}

/** A new number has to be verified again. */
const NumberChanged = () => (
  <Banner
    tone="info"
    action={
      <ButtonLink to="/dashboard" variant="secondary" size="small">
        Show the link code
      </ButtonLink>
    }
  >
    Your number has changed. Send the link code from it once, so we know it’s yours.
  </Banner>
)

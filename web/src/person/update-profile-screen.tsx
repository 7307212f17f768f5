import type { CountryItem, LanguageItem, User } from '@voxscribe/contracts/http'
import { CHAT_WINDOW_HOURS, LONG_SPEECH_SECONDS } from '@voxscribe/contracts/limits'
import { REFUSALS } from '@voxscribe/contracts/refusals'
import { UI_LANGUAGE_NAMES } from '@voxscribe/languages'
import { z } from 'zod'
import { useConfig, useCountries, useLanguages } from '../api/config.ts'
import { i18n, showLanguage } from '../language/i18n.ts'
import { useKnownLanguages } from '../note/language-choice.tsx'
import { SpeechHere } from '../plan/speech-here.tsx'
import { call } from '../session/client.ts'
import { useProfile, useProfileChange } from '../session/use-profile.ts'
import { ButtonLink } from '../ui/action/button.tsx'
import { Banner } from '../ui/feedback/banner.tsx'
import { LoadError, Skeletons } from '../ui/feedback/loading.tsx'
import { toast } from '../ui/feedback/toast.ts'
import { EmailField, Field, Select } from '../ui/form/field.tsx'
import { Form, SubmitButton, useCallForm } from '../ui/form/form.tsx'
import { Card } from '../ui/layout/card.tsx'
import { Page } from '../ui/layout/page.tsx'
import { CountryPicker } from './phone/country-picker.tsx'
import { PhoneField } from './phone/phone-field.tsx'

export default function UpdateProfileScreen() {
  const profile = useProfile()
  const countries = useCountries()
  const languages = useLanguages()
  const loading = profile.isPending || countries.isPending || languages.isPending
  return (
    <Page
      title={i18n.t('Update profile')}
      intro={i18n.t('Who you are, where your notes come from, and what language you speak.')}
    >
      <LoadError of={[profile]} fallback={i18n.t('Failed to load profile data')} />
      <LoadError of={[countries, languages]} fallback={i18n.t('Failed to load countries or languages')} />
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

const FIELDS = [
  'first_name',
  'last_name',
  'email',
  'wtp_number',
  'country_code',
  'wa_language',
  'ui_language',
  'late_answers',
  'gist',
] as const
const ProfileValues = z.record(z.enum(FIELDS), z.string().trim())
type ProfileValues = z.infer<typeof ProfileValues>

const valuesOf = (user: User) =>
  Object.fromEntries(FIELDS.map(field => [field, user[field] ?? ''])) as ProfileValues

interface ProfileFormProps {
  user: User
  countries: CountryItem[]
  languages: LanguageItem[]
}

function ProfileForm({ user, countries, languages }: ProfileFormProps) {
  const profile = useProfileChange()
  const config = useConfig()
  const saved = valuesOf(user)
  const update = useCallForm({
    schema: ProfileValues,
    // The profile may be changed elsewhere, for example in the chat, but fields changed here are kept.
    values: saved,
    resetOptions: { keepDirtyValues: true },
    async send(typed): Promise<boolean> {
      // Emptied fields keep their saved value.
      const changed = FIELDS.filter(field => typed[field] && typed[field] !== saved[field])
      const body = Object.fromEntries(changed.map(field => [field, typed[field]]))
      if (changed.length === 0) throw new Error(i18n.t(REFUSALS.profile_unchanged.text))
      const { data } = await call('updateProfile', { body })
      await profile.replace(data.user)
      // The messages that follow must be in the chosen language.
      if (body.ui_language) await showLanguage(data.user.ui_language, data.user.country_code)
      const now = valuesOf(data.user)
      form.reset(now, { keepDirtyValues: false })
      return now.wtp_number !== saved.wtp_number || now.country_code !== saved.country_code
    },
    onSuccess() {
      toast(i18n.t('Profile updated successfully!'), { type: 'success' })
    },
  })
  const { form, field, controlled, call: saving } = update
  const country = controlled('country_code')
  const number = controlled('wtp_number')
  const hasNewNumber =
    number.value !== '' && (number.value !== saved.wtp_number || country.value !== saved.country_code)
  return (
    <Card className="mt-8 sm:p-8">
      <Form of={update} fallback={i18n.t('Failed to update profile')}>
        <div className="grid gap-6 sm:grid-cols-2">
          <Field
            label={i18n.t('First name')}
            autoComplete="given-name"
            maxLength={100}
            {...field('first_name')}
          />
          <Field
            label={i18n.t('Last name')}
            autoComplete="family-name"
            maxLength={100}
            {...field('last_name')}
          />
        </div>
        <EmailField maxLength={254} {...field('email')} />
        <CountryPicker
          label={i18n.t('Country')}
          countries={countries}
          disabled={countries.length === 0}
          {...country}
        />
        <PhoneField
          label={i18n.t('Phone number')}
          countries={countries}
          country={country}
          hint={i18n.t('The WhatsApp number your voice notes come from.')}
          {...number}
        />
        {user.telegram_linked && hasNewNumber && (
          <Banner tone="warning">
            {i18n.t(
              'With another number, your Telegram chat is no longer linked. Link it again with the new link code.',
            )}
          </Banner>
        )}
        <Select
          label={i18n.t('Usual language of your notes')}
          hint={i18n.t('Auto-detect works for most notes. Choosing a language helps with short ones.')}
          {...field('wa_language')}
          options={useKnownLanguages(languages)}
          disabled={languages.length === 0}
        />
        <SpeechHere all={i18n.t('every language of this list')} />
        <Select
          label={i18n.t('Language of the app, chat and emails')}
          {...field('ui_language')}
          options={Object.entries(UI_LANGUAGE_NAMES).map(([id, label]) => ({ id, label }))}
        />
        <Select
          label={i18n.t('Texts that WhatsApp no longer takes')}
          hint={i18n.t(
            '{hours, plural, one {WhatsApp delivers our messages within # hour of yours.} other {WhatsApp delivers our messages within # hours of yours.}}',
            { hours: CHAT_WINDOW_HOURS },
          )}
          {...field('late_answers')}
          options={[
            { id: 'mail', label: i18n.t('By email, and in the chat with my next message') },
            { id: 'chat', label: i18n.t('Only in the chat, with my next message') },
          ]}
        />
        {config.data?.textModel && (
          <Select
            label={i18n.t('Summaries without being asked')}
            hint={i18n.t('Any note can be summarized on its page.')}
            {...field('gist')}
            options={[
              {
                id: 'long',
                label: i18n.t(
                  '{seconds, plural, one {Of notes with more than # second of speech} other {Of notes with more than # seconds of speech}}',
                  { seconds: LONG_SPEECH_SECONDS },
                ),
              },
              { id: 'all', label: i18n.t('Of all notes') },
              { id: 'never', label: i18n.t('Of none') },
            ]}
          />
        )}
        {saving.data && (
          <Banner
            tone="info"
            action={
              <ButtonLink to="/dashboard" variant="secondary" size="small">
                {i18n.t('Show the link code')}
              </ButtonLink>
            }
          >
            {i18n.t('Your number has changed. Send the link code from it once, so we know it’s yours.')}
          </Banner>
        )}
        <SubmitButton busyLabel={i18n.t('Saving…')}>{i18n.t('Update Profile')}</SubmitButton>
      </Form>
    </Card>
  )
}

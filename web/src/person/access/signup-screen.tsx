import { Trans } from '@lingui/react'
import type { DataFor } from '@voxscribe/contracts/calls'
import { PasswordAccount } from '@voxscribe/contracts/http'
import { SIGNUP_PASSWORD_MIN } from '@voxscribe/contracts/limits'
import { PLANS } from '@voxscribe/contracts/plans'
import { REFUSALS } from '@voxscribe/contracts/refusals'
import { type ReactNode, useEffect, useRef } from 'react'
import { useLocation, useSearchParams } from 'react-router-dom'
import { z } from 'zod'
import { useConfig, useCountries } from '../../api/config.ts'
import { useSignInMethods, useSignUp } from '../../api/installation.tsx'
import { i18n } from '../../language/i18n.ts'
import { call } from '../../session/client.ts'
import { useSession } from '../../session/session.ts'
import { Button, TextLink } from '../../ui/action/button.tsx'
import { Banner } from '../../ui/feedback/banner.tsx'
import { LoadError } from '../../ui/feedback/loading.tsx'
import { toast } from '../../ui/feedback/toast.ts'
import { EmailField, Field, PasswordField } from '../../ui/form/field.tsx'
import { Form, SubmitButton, useCallForm } from '../../ui/form/form.tsx'
import { FileWaiting } from '../../upload/shared-list.tsx'
import { enteredTwice } from '../new-password.tsx'
import { CountryPicker, defaultCountryId } from '../phone/country-picker.tsx'
import { PhoneField } from '../phone/phone-field.tsx'
import { readPhone, useReadNumber } from '../phone/phone-number.ts'
import { AccountPage, ContactLink, sessionIn } from './account-page.tsx'
import { ProviderButton } from './provider-screens.tsx'

const Values = PasswordAccount.extend({ country_id: z.string(), confirm: z.string() })
const WithPassword = Values.refine(...enteredTwice('password'))
const ByProvider = Values.extend({ password: z.string() })

/** The provider's data about a person who creates an account through it. */
type Provided = Extract<DataFor<'oidcSignIn'>, { next: 'register' }>

export default function SignupScreen() {
  const signUp = useSignUp()
  const [search] = useSearchParams()
  const invite = search.get('invite')?.trim() || undefined
  const { passwords } = useSignInMethods()
  const provided = Object(useLocation().state).provided as Provided | undefined
  if (signUp === 'closed')
    return <NoSignup title={i18n.t('No new accounts')} why={REFUSALS.sign_up_closed.text} />
  // A verified address may have been invited.
  if (signUp === 'invited' && !invite && !provided?.email)
    return <NoSignup title={i18n.t('By invitation only')} why={REFUSALS.sign_up_invited.text} />
  if (!passwords && !provided) return <ByProviderOnly />
  return <SignupForm invite={invite} invited={search.get('email') ?? ''} provided={provided} />
}

function ByProviderOnly() {
  const { provider } = useSignInMethods()
  const minutes = useConfig().data?.freeMinutes
  return (
    <AccountPage title={i18n.t('Create account')} intro={minutesOffered(minutes)} below={<SigninLink />}>
      <ProviderButton name={provider ?? ''} />
    </AccountPage>
  )
}

const NoSignup = ({ title, why }: { title: string; why: string }) => (
  <AccountPage title={title} intro={i18n.t(why)} below={<SigninLink />}>
    <ContactLink />
  </AccountPage>
)

const SigninLink = () => (
  <Trans id="Already have an account? <0>Sign in</0>" components={{ 0: <TextLink to="/signin" /> }} />
)

interface SignupFormProps {
  /** The token of an invitation, if any. */
  invite: string | undefined
  /** The address that was invited. */
  invited: string
  provided: Provided | undefined
}

function SignupForm({ invite, invited, provided }: SignupFormProps) {
  const { provider } = useSignInMethods()
  const email = provided?.email ?? invited
  const listed = useCountries()
  const minutes = useConfig().data?.freeMinutes
  const countries = listed.data ?? []
  const { signIn } = useSession()
  const readNumber = useReadNumber()
  const asked = useRef('')
  /** A try got no response: the account may exist, and it's this person's if the password opens it. */
  const unanswered = useRef(false)
  const signup = useCallForm({
    schema: provided ? ByProvider : WithPassword,
    mode: 'onTouched',
    defaultValues: {
      ...{ first_name: provided?.first_name ?? '', last_name: provided?.last_name ?? '', email },
      ...{ country_id: '', wtp_number: '', password: '', confirm: '' },
    },
    async needsConfirmation({ wtp_number: text, country_id }) {
      const number = `${country_id} ${text}`
      const country = countries.find(({ id }) => id === country_id)?.code
      // If the rules of numbers can't be loaded, the server's response says what is wrong.
      const read = await readNumber(text, country).catch(() => null)
      if (asked.current === number || !read || read.isValid) return false
      // A second press confirms the number.
      asked.current = number
      return true
    },
    send: async ({ confirm: _, password, ...body }) =>
      sessionIn(
        await call('register', {
          body: { ...body, invite, ...(provided ? { ticket: provided.ticket } : { password }) },
        }).catch(error => {
          // The address is taken by that account, or its invitation used.
          const isOwnAccount = !provided && unanswered.current && [409, 400].includes(Object(error).status)
          unanswered.current ||= Object(error).status === 0
          if (!isOwnAccount) throw error
          return call('login', { body: { email: body.email, password } }).catch(() => Promise.reject(error))
        }),
        i18n.t('Signup failed'),
      ),
    onSuccess: session => {
      signIn(session)
      toast(i18n.t('Account created successfully! Welcome to the product.'), { type: 'success' })
    },
  })
  const { form, field, controlled } = signup
  const country = controlled('country_id')
  const phone = useSearchParams()[0].get('phone')
  useEffect(() => {
    if (!listed.data) return
    // The chat's link contains the number with its country code; a number typed before it stays.
    const number = form.getValues('wtp_number') || `+${phone ?? ''}`
    const { digits, countryId } = readPhone(number, listed.data, defaultCountryId(listed.data))
    form.setValue('wtp_number', digits)
    form.setValue('country_id', countryId)
  }, [phone, listed.data, form])
  const { password, confirm } = form.watch()
  const ready = country.value && (provided || (isLongEnough(password) && password === confirm))
  return (
    <AccountPage wide title={i18n.t('Create account')} intro={minutesOffered(minutes)} below={<SigninLink />}>
      <FileWaiting />
      <LoadError of={[listed]} fallback={i18n.t('Failed to load countries or languages')} className="mb-6" />
      {provider && !provided && <ProviderButton name={provider} apart />}
      <Form of={signup} fallback={i18n.t('An error occurred during signup')} className="sm:grid-cols-2">
        <Field label={i18n.t('First name')} autoComplete="given-name" {...field('first_name')} />
        <Field label={i18n.t('Last name')} autoComplete="family-name" {...field('last_name')} />
        <EmailField
          className="sm:col-span-2"
          readOnly={Boolean(provided?.email)}
          hint={invite && i18n.t('The address that your invitation came to')}
          {...field('email')}
        />
        <CountryPicker label={i18n.t('Country')} countries={countries} {...country} />
        <PhoneField
          label={i18n.t('WhatsApp number')}
          countries={countries}
          country={country}
          onBlur={() => form.trigger('wtp_number')}
          {...controlled('wtp_number')}
        />
        {!provided && (
          <>
            <PasswordField
              autoComplete="new-password"
              hint={
                <PasswordHint met={isLongEnough(password)}>
                  {i18n.t('At least {min} characters', { min: SIGNUP_PASSWORD_MIN })}
                </PasswordHint>
              }
              {...field('password')}
            />
            <PasswordField
              label={i18n.t('Confirm password')}
              autoComplete="new-password"
              hint={
                confirm && (
                  <PasswordHint met={password === confirm} unmet="font-medium text-bad">
                    {password === confirm ? i18n.t('Passwords match') : i18n.t('Passwords do not match')}
                  </PasswordHint>
                )
              }
              {...form.register('confirm')}
            />
          </>
        )}
        {signup.question && (
          <Banner
            tone="warning"
            className="sm:col-span-2"
            action={
              <Button size="small" onClick={signup.question.onConfirm}>
                {i18n.t('Yes')}
              </Button>
            }
          >
            {i18n.t('Numbers in that country don’t look like this. Is your WhatsApp number right?')}
          </Banner>
        )}
        <SubmitButton
          size="large"
          className="sm:col-span-2"
          disabled={!ready}
          busyLabel={i18n.t('Creating your account…')}
        >
          {i18n.t('Continue to Free Trial')}
        </SubmitButton>
        <p className="text-sm text-soft sm:col-span-2">
          <Trans
            id="With an account you accept the <0>terms of service</0>. The <1>privacy policy</1> says what happens to your data."
            components={{
              0: <TextLink to="/terms" target="_blank" />,
              1: <TextLink to="/privacy" target="_blank" />,
            }}
          />
        </p>
      </Form>
    </AccountPage>
  )
}

/** Reserves its space until the number is known; undefined without a limit. */
function minutesOffered(minutes: number | null | undefined) {
  if (minutes === null) return undefined
  return (
    <span className={minutes === undefined ? 'invisible' : undefined}>
      {i18n.t(
        '{minutes, plural, one {# minute free every month. No card needed.} other {# minutes free every month. No card needed.}}',
        { minutes: minutes ?? PLANS.free.minutes },
      )}
    </span>
  )
}

const isLongEnough = (password: string): boolean => password.length >= SIGNUP_PASSWORD_MIN

interface PasswordHintProps {
  met: boolean
  /** Class name while the rule isn't met. */
  unmet?: string
  children: ReactNode
}

/** A rule, and whether the input meets it: shown by sign and color, and in words for screen readers. */
const PasswordHint = ({ met, unmet = 'text-soft', children }: PasswordHintProps) => (
  <span className={met ? 'text-good' : unmet} aria-live="polite">
    <span aria-hidden="true">{met ? '✓ ' : '• '}</span>
    <span>{children}</span>
    {met && <span className="sr-only"> {i18n.t('(done)')}</span>}
  </span>
)

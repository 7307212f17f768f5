import { SIGNUP_PASSWORD_MIN } from '@voxscribe/contracts/business'
import { RegisterBody } from '@voxscribe/contracts/http'
import { type ReactNode, useEffect } from 'react'
import { useNavigate, useSearchParams } from 'react-router-dom'
import { z } from 'zod'
import { useCountries } from '../api/config.ts'
import { CountryPicker, defaultCountryId } from '../phone/country-picker.tsx'
import { PhoneField } from '../phone/phone-field.tsx'
import { readPhone } from '../phone/phone-number.ts'
import { call } from '../session/client.ts'
import { useSession } from '../session/use-session.ts'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { Form } from '../ui/form.tsx'
import { LoadError } from '../ui/load-error.tsx'
import { PasswordField } from '../ui/password-field.tsx'
import { TextLink } from '../ui/text-link.tsx'
import { toast } from '../ui/toast.ts'
import { useCallForm } from '../ui/use-call-form.ts'
import { FileWaiting } from '../upload/shared-list.tsx'
import { AccountPage, sessionIn } from './account-page.tsx'

/** The form's values. The country's default depends on the loaded list, so it is filled in at the end. */
const SignupValues = RegisterBody.extend({ country_id: z.string(), confirm: z.string() }).refine(
  ({ password, confirm }) => password === confirm,
  { path: ['confirm'], message: 'Passwords do not match' },
)

export default function SignupScreen() {
  const listed = useCountries()
  const countries = listed.data ?? []
  const { signIn } = useSession()
  const navigate = useNavigate()
  const signup = useCallForm({
    schema: SignupValues,
    mode: 'onTouched',
    defaultValues: { country_id: '', wtp_number: '', password: '', confirm: '' },
    send: async ({ confirm: _, ...typed }) => {
      const body = { ...typed, country_id: typed.country_id || defaultCountryId(countries) }
      return sessionIn(await call('register', { body }), 'Signup failed')
    },
    onSuccess: session => {
      signIn(session)
      toast('Account created successfully! Welcome to the product.', { type: 'success' })
      navigate('/dashboard', { replace: true })
    },
  })
  const { form, field, errorOf, call: sending } = signup
  const phone = useSearchParams()[0].get('phone')
  // The chat's link has the number, with its country's code; what is typed already stays.
  useEffect(() => {
    if (!phone || !listed.data || form.getValues('wtp_number')) return
    const { digits, countryId } = readPhone(`+${phone}`, listed.data, defaultCountryId(listed.data))
    form.setValue('wtp_number', digits)
    form.setValue('country_id', countryId)
  }, [phone, listed.data, form])
  const { password, confirm, country_id, wtp_number } = form.watch()
  const countryId = country_id || defaultCountryId(countries)
  const ready = countryId && isLongEnough(password) && password === confirm
  return (
    <AccountPage
      wide
      title="Create Account"
      intro="30 minutes free every month. No card needed."
      below={
        <>
          Already have an account? <TextLink to="/signin">Sign in</TextLink>
        </>
      }
    >
      <FileWaiting />
      <LoadError of={[listed]} fallback="Failed to load countries or languages" className="mb-6" />
      <Form of={signup} fallback="An error occurred during signup" className="sm:grid-cols-2">
        <Field label="First name" autoComplete="given-name" {...field('first_name')} />
        <Field label="Last name" autoComplete="family-name" {...field('last_name')} />
        <Field
          label="Email"
          type="email"
          autoComplete="email"
          className="sm:col-span-2"
          {...field('email')}
        />
        <CountryPicker
          label="Country"
          countries={countries}
          value={countryId}
          onChange={id => form.setValue('country_id', id)}
          error={errorOf('country_id')}
          disabled={sending.isPending}
        />
        <PhoneField
          label="WhatsApp number"
          value={wtp_number}
          onChange={digits =>
            form.setValue('wtp_number', digits, { shouldValidate: !!errorOf('wtp_number') })
          }
          onBlur={() => form.trigger('wtp_number')}
          countries={countries}
          countryId={countryId}
          onCountryChange={id => form.setValue('country_id', id)}
          error={errorOf('wtp_number')}
        />
        <PasswordField
          label="Password"
          autoComplete="new-password"
          hint={<PasswordHint met={isLongEnough(password)}>At least 8 characters</PasswordHint>}
          {...field('password')}
        />
        <PasswordField
          label="Confirm password"
          autoComplete="new-password"
          hint={
            confirm && (
              <PasswordHint met={password === confirm} unmet="font-medium text-bad">
                {password === confirm ? 'Passwords match' : 'Passwords do not match'}
              </PasswordHint>
            )
          }
          {...form.register('confirm')}
        />
        <Button
          type="submit"
          size="large"
          className="sm:col-span-2"
          disabled={!ready}
          busy={sending.isPending}
          busyLabel="Creating your account..."
        >
          Continue to Free Trial
        </Button>
      </Form>
    </AccountPage>
  )
}

const isLongEnough = (password: string): boolean => password.length >= SIGNUP_PASSWORD_MIN

interface PasswordHintProps {
  met: boolean
  /** The look as long as it isn't met. */
  unmet?: string
  children: ReactNode
}

/** A rule, and whether the entry meets it: by sign, colour and, for screen readers, in words. */
const PasswordHint = ({ met, unmet = 'text-soft', children }: PasswordHintProps) => (
  <span className={met ? 'text-good' : unmet} aria-live="polite">
    <span aria-hidden="true">{met ? '✓ ' : '• '}</span>
    <span>{children}</span>
    {met && <span className="sr-only"> (done)</span>}
  </span>
)

import { type CountryItem, RegisterBody } from '@voxscribe/contracts/http'
import { Controller } from 'react-hook-form'
import { useNavigate } from 'react-router-dom'
import { z } from 'zod'
import { CountryPicker, defaultCountryId } from '../phone/country-picker.tsx'
import { PhoneField } from '../phone/phone-field.tsx'
import { useSession } from '../session/use-session.ts'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { Form } from '../ui/form.tsx'
import { PasswordField } from '../ui/password-field.tsx'
import { toast } from '../ui/toast.ts'
import { useCallForm } from '../ui/use-call-form.ts'
import { register } from './auth-calls.ts'
import { confirmHint, isLongEnough, PasswordHint } from './password-hints.tsx'

/** The form's values. The country's default depends on the loaded list, so it is filled in at the end. */
const SignupValues = RegisterBody.extend({ country_id: z.string(), confirm: z.string() }).refine(
  ({ password, confirm }) => password === confirm,
  { path: ['confirm'], message: 'Passwords do not match' },
)

export function SignupForm({ countries }: { countries: CountryItem[] }) {
  const { signIn } = useSession()
  const navigate = useNavigate()
  const signup = useCallForm({
    schema: SignupValues,
    mode: 'onTouched',
    defaultValues: { country_id: '', wtp_number: '', password: '', confirm: '' },
    send: ({ confirm: _, ...body }) =>
      register({ ...body, country_id: body.country_id || defaultCountryId(countries) }),
    onSuccess: session => {
      signIn(session)
      toast('Account created successfully! Welcome to the product.', { type: 'success' })
      navigate('/dashboard', { replace: true })
    },
  })
  const { form, field, errorOf, call } = signup
  const { password, confirm, country_id } = form.watch()
  const countryId = country_id || defaultCountryId(countries)
  const ready = isLongEnough(password) && password === confirm
  return (
    <Form of={signup} fallback="An error occurred during signup" className="sm:grid-cols-2">
      <Field label="First name" autoComplete="given-name" {...field('first_name')} />
      <Field label="Last name" autoComplete="family-name" {...field('last_name')} />
      <Field label="Email" type="email" autoComplete="email" className="sm:col-span-2" {...field('email')} />
      <CountryPicker
        label="Country"
        countries={countries}
        value={countryId}
        onChange={id => form.setValue('country_id', id)}
        error={errorOf('country_id')}
        disabled={call.isPending}
      />
      <Controller
        control={form.control}
        name="wtp_number"
        render={({ field: { ref: _, ...number }, fieldState }) => (
          <PhoneField
            label="WhatsApp number"
            {...number}
            countries={countries}
            countryId={countryId}
            onCountryChange={id => form.setValue('country_id', id)}
            error={fieldState.error?.message}
          />
        )}
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
        hint={confirmHint(password, confirm)}
        {...form.register('confirm')}
      />
      <Button
        type="submit"
        size="large"
        className="sm:col-span-2"
        disabled={!ready}
        busy={call.isPending}
        busyLabel="Creating your account..."
      >
        Continue to Free Trial
      </Button>
    </Form>
  )
}

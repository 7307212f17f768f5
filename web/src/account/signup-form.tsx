import { zodResolver } from '@hookform/resolvers/zod'
import type { CountryItem } from '@voxscribe/contracts/http'
import { Controller, useForm } from 'react-hook-form'
import { CountryPicker, defaultCountryId } from '../phone/country-picker.tsx'
import { PhoneField } from '../phone/phone-field.tsx'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { Form } from '../ui/form.tsx'
import { fieldsOf } from '../ui/form-fields.ts'
import { PasswordField } from '../ui/password-field.tsx'
import { confirmHint, isLongEnough, PasswordHint } from './password-hints.tsx'
import { EMPTY_SIGNUP, SignupValues, useSignup } from './use-signup.ts'

export function SignupForm({ countries }: { countries: CountryItem[] }) {
  const form = useForm({
    resolver: zodResolver(SignupValues),
    mode: 'onTouched',
    defaultValues: EMPTY_SIGNUP,
  })
  const signup = useSignup(form.setError)
  const field = fieldsOf(form)
  const { password, confirm, country_id } = form.watch()
  const countryId = country_id || defaultCountryId(countries)
  const ready = isLongEnough(password) && password === confirm
  return (
    <Form
      onSubmit={form.handleSubmit(({ confirm: _, ...body }) =>
        signup.mutate({ ...body, country_id: countryId }),
      )}
      call={signup}
      fallback="An error occurred during signup"
      className="sm:grid-cols-2"
    >
      <Field label="First name" autoComplete="given-name" {...field('first_name')} />
      <Field label="Last name" autoComplete="family-name" {...field('last_name')} />
      <Field label="Email" type="email" autoComplete="email" className="sm:col-span-2" {...field('email')} />
      <CountryPicker
        label="Country"
        countries={countries}
        value={countryId}
        onChange={id => form.setValue('country_id', id)}
        error={form.formState.errors.country_id?.message}
        disabled={signup.isPending}
      />
      <Controller
        control={form.control}
        name="wtp_number"
        render={({ field: { value, onChange, onBlur }, fieldState }) => (
          <PhoneField
            label="WhatsApp number"
            value={value}
            onChange={onChange}
            onBlur={onBlur}
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
        busy={signup.isPending}
        busyLabel="Creating your account..."
      >
        Continue to Free Trial
      </Button>
    </Form>
  )
}

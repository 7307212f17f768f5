import { zodResolver } from '@hookform/resolvers/zod'
import type { CountryItem } from '@voxscribe/contracts/http'
import { Controller, useForm } from 'react-hook-form'
import { Button } from '../../ui/button.tsx'
import { CountryPicker, defaultCountryId } from '../../ui/country-picker.tsx'
import { Field } from '../../ui/field.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { PasswordField } from '../../ui/password-field.tsx'
import { PhoneField } from '../../ui/phone-field.tsx'
import { confirmHint, isLongEnough, PasswordHint } from './password-hints.tsx'
import { emptySignup, SignupValues, useSignup } from './use-signup.ts'

export function SignupForm({ countries }: { countries: CountryItem[] }) {
  const form = useForm({ resolver: zodResolver(SignupValues), mode: 'onTouched', defaultValues: emptySignup })
  const signup = useSignup(form.setError)
  const { register, control, watch, setValue, formState } = form
  const { errors } = formState
  const { password, confirm, country_id } = watch()
  const countryId = country_id || defaultCountryId(countries)
  const ready = isLongEnough(password) && password === confirm
  return (
    <form
      noValidate
      onSubmit={form.handleSubmit(({ confirm: _, ...body }) =>
        signup.mutate({ ...body, country_id: countryId }),
      )}
    >
      <fieldset disabled={signup.isPending} className="grid gap-5 sm:grid-cols-2">
        <div className="empty:hidden sm:col-span-2">
          <FormError error={signup.error} fallback="An error occurred during signup" />
        </div>
        <Field
          label="First name"
          autoComplete="given-name"
          error={errors.first_name?.message}
          {...register('first_name')}
        />
        <Field
          label="Last name"
          autoComplete="family-name"
          error={errors.last_name?.message}
          {...register('last_name')}
        />
        <Field
          label="Email"
          type="email"
          autoComplete="email"
          className="sm:col-span-2"
          error={errors.email?.message}
          {...register('email')}
        />
        <CountryPicker
          label="Country"
          countries={countries}
          value={countryId}
          onChange={id => setValue('country_id', id)}
          error={errors.country_id?.message}
          disabled={signup.isPending}
        />
        <Controller
          control={control}
          name="wtp_number"
          render={({ field }) => (
            <PhoneField
              label="WhatsApp number"
              value={field.value}
              onChange={field.onChange}
              onBlur={field.onBlur}
              countries={countries}
              countryId={countryId}
              onCountryChange={id => setValue('country_id', id)}
              error={errors.wtp_number?.message}
            />
          )}
        />
        <PasswordField
          label="Password"
          autoComplete="new-password"
          error={errors.password?.message}
          hint={<PasswordHint met={isLongEnough(password)}>At least 8 characters</PasswordHint>}
          {...register('password')}
        />
        <PasswordField
          label="Confirm password"
          autoComplete="new-password"
          hint={confirmHint(password, confirm)}
          {...register('confirm')}
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
      </fieldset>
    </form>
  )
}

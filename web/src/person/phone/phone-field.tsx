import type { CountryItem } from '@voxscribe/contracts/http'
import { useState } from 'react'
import { i18n } from '../../language/i18n.ts'
import { Button } from '../../ui/action/button.tsx'
import { classes } from '../../ui/classes.ts'
import { CONTROL_LOOK, FieldFrame } from '../../ui/form/field.tsx'
import { leftToRight, readPhone, useArgentineMobile, useNumber } from './phone-number.ts'

interface PhoneFieldProps {
  label: string
  /** Digits without the country code. */
  value: string
  onChange(digits: string): void
  countries: CountryItem[]
  /** The country field: a pasted `+44 20 …` changes it as well. */
  country: { value: string; onChange(id: string): void }
  error?: string
  hint?: string
  onBlur?(): void
}

/** Padding beside the phone code, by its number of characters. */
const BESIDE_CODE: Record<number, string> = { 2: 'ps-11', 3: 'ps-13', 4: 'ps-15' }

export function PhoneField({ value, onChange, countries, country, ...rest }: PhoneFieldProps) {
  const chosen = countries.find(({ id }) => id === country.value)
  const code = chosen?.phonecode
  const number = useNumber(value, chosen?.code)
  const [isTyping, setTyping] = useState(false)
  const doubt =
    chosen && value && !isTyping && !number.isValid && !rest.error
      ? i18n.t('Is this right? {number} doesn’t look like a number from that country.', {
          number: leftToRight(number.written),
        })
      : undefined
  const mobile = useArgentineMobile(value, chosen?.code)
  const take = (text: string) => {
    const read = readPhone(text, countries, country.value)
    onChange(read.digits)
    if (read.countryId !== country.value) country.onChange(read.countryId)
  }
  return (
    <FieldFrame<'input'>
      {...rest}
      hint={
        mobile && !isTyping && !rest.error ? (
          <Button size="small" variant="secondary" onClick={() => onChange(mobile.digits)}>
            {i18n.t('{number}, as WhatsApp has it?', { number: leftToRight(mobile.written) })}
          </Button>
        ) : doubt ? (
          <span className="font-medium text-warn">{doubt}</span>
        ) : (
          rest.hint
        )
      }
      onFocus={() => setTyping(true)}
      onBlur={() => {
        setTyping(false)
        rest.onBlur?.()
      }}
      control={input => (
        <div className="relative" dir="ltr">
          {code && (
            <span className="pointer-events-none absolute inset-y-0 start-3.5 flex items-center text-soft">
              {code}
            </span>
          )}
          <input
            {...input}
            type="tel"
            inputMode="numeric"
            autoComplete="tel"
            value={value}
            onChange={event => take(event.target.value)}
            onPaste={event => {
              const text = event.clipboardData.getData('text')
              if (!/^\s*(\+|00)/.test(text)) return
              event.preventDefault()
              take(text)
            }}
            className={classes(CONTROL_LOOK, code && BESIDE_CODE[code.length])}
          />
        </div>
      )}
    />
  )
}

import { useState } from 'react'
import { currentLanguage, i18n } from '../../language/i18n.ts'
import { classes } from '../classes.ts'
import { CONTROL_LOOK, FieldFrame, type FieldProps } from './field.tsx'

export function PasswordField(props: Omit<FieldProps<'input'>, 'type'>) {
  const [shown, setShown] = useState(false)
  // German nouns keep their capital.
  const field = currentLanguage() === 'de' ? props.label : props.label.toLocaleLowerCase(i18n.locale)
  return (
    <FieldFrame<'input'>
      {...props}
      control={input => (
        <div className="relative">
          <input
            {...input}
            type={shown ? 'text' : 'password'}
            // Some browsers send what they check to their makers.
            spellCheck={false}
            autoCapitalize="none"
            className={classes(CONTROL_LOOK, 'pe-30')}
          />
          <button
            type="button"
            aria-label={shown ? i18n.t('Hide {field}', { field }) : i18n.t('Show {field}', { field })}
            onClick={() => setShown(!shown)}
            className="absolute inset-y-1 end-1 min-w-15 rounded-md px-2 font-semibold text-accent text-sm hover:bg-wash"
          >
            {shown ? i18n.t('Hide') : i18n.t('Show')}
          </button>
        </div>
      )}
    />
  )
}

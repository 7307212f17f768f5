import { useState } from 'react'
import { classes } from './classes.ts'
import { CONTROL_LOOK, FieldFrame, type FieldProps } from './field.tsx'

export function PasswordField(props: Omit<FieldProps<'input'>, 'type'>) {
  const [shown, setShown] = useState(false)
  return (
    <FieldFrame<'input'>
      {...props}
      control={input => (
        <div className="relative">
          <input {...input} type={shown ? 'text' : 'password'} className={classes(CONTROL_LOOK, 'pe-18')} />
          <button
            type="button"
            disabled={props.disabled}
            aria-label={`${shown ? 'Hide' : 'Show'} ${props.label.toLowerCase()}`}
            onClick={() => setShown(!shown)}
            className="absolute inset-y-1 end-1 min-w-15 rounded-md px-2 font-semibold text-accent text-sm hover:bg-wash"
          >
            {shown ? 'Hide' : 'Show'}
          </button>
        </div>
      )}
    />
  )
}

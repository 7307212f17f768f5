import { type ComponentProps, useState } from 'react'
import { classes } from './classes.ts'
import { controlLook, type Field, FieldFrame } from './field.tsx'

/** A field for a password, with a button that shows what was typed. */
export function PasswordField({
  label,
  error,
  hint,
  className,
  id,
  ...input
}: Omit<ComponentProps<typeof Field>, 'type'>) {
  const [shown, setShown] = useState(false)
  return (
    <FieldFrame {...{ label, error, hint, className, id }}>
      {control => (
        <div className="relative">
          <input
            {...input}
            {...control}
            type={shown ? 'text' : 'password'}
            className={classes(controlLook, 'pr-18')}
          />
          <button
            type="button"
            disabled={input.disabled}
            aria-label={`${shown ? 'Hide' : 'Show'} ${label.toLowerCase()}`}
            onClick={() => setShown(!shown)}
            className="absolute inset-y-1 right-1 min-w-15 rounded-md px-2 font-semibold text-accent text-sm hover:bg-wash"
          >
            {shown ? 'Hide' : 'Show'}
          </button>
        </div>
      )}
    </FieldFrame>
  )
}

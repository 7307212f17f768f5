import { type ComponentProps, useId } from 'react'
import { Checkbox } from './checkbox.tsx'

interface ChecksProps extends Omit<ComponentProps<'input'>, 'id'> {
  legend: string
  options: { id: string; label: string; hint: string }[]
  error?: string
}

/** Boxes to tick, of which the form's field holds those that are. */
export function Checks({ legend, options, error, ...input }: ChecksProps) {
  const errorId = useId()
  return (
    <fieldset aria-describedby={error && errorId} className="grid gap-2">
      <legend className="mb-1.5 font-semibold">{legend}</legend>
      {options.map(({ id, label, hint }) => (
        <Checkbox
          key={id}
          value={id}
          label={label}
          hint={hint}
          aria-invalid={error ? true : undefined}
          {...input}
        />
      ))}
      {error && (
        <p id={errorId} role="alert" className="font-medium text-bad text-sm">
          {error}
        </p>
      )}
    </fieldset>
  )
}

import { type ComponentProps, useId } from 'react'
import { classes } from '../classes.ts'

interface CheckboxProps extends Omit<ComponentProps<'input'>, 'type'> {
  /** Shows the indeterminate state: only part of what it stands for is ticked. */
  isIndeterminate?: boolean
}

/** A checkbox and its label on one line. */
export const Checkbox = ({ ref, className, children, isIndeterminate = false, ...input }: CheckboxProps) => (
  <label className={classes('flex min-h-11 cursor-pointer items-center gap-2', className)}>
    <input
      {...input}
      type="checkbox"
      ref={box => {
        if (box) box.indeterminate = isIndeterminate
        return typeof ref === 'function' ? ref(box) : undefined
      }}
      className="size-5 shrink-0 accent-accent"
    />
    {children}
  </label>
)

interface CheckboxWithHintProps extends Omit<ComponentProps<'input'>, 'type' | 'id' | 'className'> {
  label: string
  hint: string
}

export function CheckboxWithHint({ label, hint, ...input }: CheckboxWithHintProps) {
  const id = useId()
  return (
    <div className="flex gap-3">
      <input
        {...input}
        type="checkbox"
        id={id}
        aria-describedby={`${id}-hint`}
        className="mt-0.5 size-5 shrink-0 accent-accent"
      />
      <div className="min-w-0">
        <label htmlFor={id} className="block cursor-pointer font-medium">
          {label}
        </label>
        <p id={`${id}-hint`} className="mt-0.5 text-soft text-sm">
          {hint}
        </p>
      </div>
    </div>
  )
}

interface CheckboxGroupProps extends Omit<ComponentProps<'input'>, 'id'> {
  legend: string
  options: { id: string; label: string; hint: string }[]
  error?: string
}

/** Checkboxes whose ticked values make up the form's field. */
export function CheckboxGroup({ legend, options, error, ...input }: CheckboxGroupProps) {
  const errorId = useId()
  return (
    <fieldset aria-describedby={error && errorId} className="grid gap-2">
      <legend className="mb-1.5 font-semibold">{legend}</legend>
      {options.map(({ id, label, hint }) => (
        <CheckboxWithHint
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

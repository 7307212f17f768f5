import { type ComponentProps, useId } from 'react'

interface CheckboxProps extends Omit<ComponentProps<'input'>, 'type' | 'id' | 'className'> {
  label: string
  hint: string
}

export function Checkbox({ label, hint, ...input }: CheckboxProps) {
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

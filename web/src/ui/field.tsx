import { type ComponentProps, type ReactNode, useId } from 'react'
import { Chevron } from './chevron.tsx'
import { classes } from './classes.ts'

export const controlLook =
  'w-full min-h-11 rounded-control border border-edge bg-surface px-3.5 py-2 text-ink ' +
  'placeholder:text-soft/80 disabled:cursor-not-allowed disabled:opacity-60 aria-invalid:border-bad'

interface LabelledProps {
  label: string
  error?: string | undefined
  hint?: ReactNode
  className?: string | undefined
}
interface FrameProps extends LabelledProps {
  /** Gets what the control needs to belong to its label, hint and error. */
  children(control: {
    id: string
    'aria-describedby': string | undefined
    'aria-invalid': true | undefined
  }): ReactNode
  id?: string | undefined
}

/** Label above, control, then hint and error below; all tied together for screen readers. */
export function FieldFrame({ label, error, hint, className, id: given, children }: FrameProps) {
  const own = useId()
  const id = given ?? own
  const described = [hint ? `${id}-hint` : '', error ? `${id}-error` : ''].filter(Boolean).join(' ')
  return (
    <div className={className}>
      <label htmlFor={id} className="mb-1.5 block font-semibold">
        {label}
      </label>
      {children({
        id,
        'aria-describedby': described || undefined,
        'aria-invalid': error ? true : undefined,
      })}
      {hint && (
        <div id={`${id}-hint`} className="mt-1.5 text-sm text-soft">
          {hint}
        </div>
      )}
      {error && (
        <p id={`${id}-error`} role="alert" className="mt-1.5 font-medium text-bad text-sm">
          {error}
        </p>
      )}
    </div>
  )
}

export const Field = ({
  label,
  error,
  hint,
  className,
  id,
  ...input
}: LabelledProps & ComponentProps<'input'>) => (
  <FieldFrame {...{ label, error, hint, className, id }}>
    {control => <input {...input} {...control} className={controlLook} />}
  </FieldFrame>
)

export const TextArea = ({
  label,
  error,
  hint,
  className,
  id,
  ...input
}: LabelledProps & ComponentProps<'textarea'>) => (
  <FieldFrame {...{ label, error, hint, className, id }}>
    {control => <textarea rows={6} {...input} {...control} className={controlLook} />}
  </FieldFrame>
)

/** A native select; its options are the children. */
export const Select = ({
  label,
  error,
  hint,
  className,
  id,
  ...input
}: LabelledProps & ComponentProps<'select'>) => (
  <FieldFrame {...{ label, error, hint, className, id }}>
    {control => (
      <div className="relative">
        <select {...input} {...control} className={classes(controlLook, 'appearance-none pr-11')} />
        <Chevron className="pointer-events-none absolute inset-y-0 right-3.5 my-auto text-soft" />
      </div>
    )}
  </FieldFrame>
)

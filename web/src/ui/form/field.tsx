import { type ComponentProps, type ReactNode, useId, useRef, useState } from 'react'
import { currentLanguage, i18n } from '../../language/i18n.ts'
import { isComposing } from '../action/use-keys.ts'
import { classes } from '../classes.ts'
import { Chevron } from '../icon.tsx'
import { useSaveOnLeaving } from './save-on-leaving.ts'

export const CONTROL_LOOK =
  'w-full min-h-11 rounded-control border border-edge bg-surface px-3.5 py-2 text-ink ' +
  'text-ellipsis placeholder:text-soft/80 disabled:cursor-not-allowed disabled:opacity-60 aria-invalid:border-bad'

interface Labels {
  label: string
  error?: string
  hint?: ReactNode
  /** On a phone, only screen readers get the label. */
  compact?: boolean
}
type Control = 'input' | 'textarea' | 'select'
/** The labels, and all props of the control itself; `className` applies to the frame. */
type FieldProps<Tag extends Control> = Labels & Omit<ComponentProps<Tag>, 'id'>
type ControlProps<Tag extends Control> = Omit<ComponentProps<Tag>, 'className'>

interface FrameProps<Tag extends Control> {
  /** Renders the control, with the attributes that tie it to its label, hint and error for screen readers. */
  control(own: ControlProps<Tag>): ReactNode
}

/** A label above, the control, then hint and error below. */
export function FieldFrame<Tag extends Control>(props: FieldProps<Tag> & FrameProps<Tag>) {
  const { label, error, hint, compact, className, control, ...own } = props
  const id = useId()
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ')
  return (
    // The widest option of a select must not widen the page.
    <div className={classes('min-w-0', className)}>
      <label htmlFor={id} className={classes('mb-1.5 block font-semibold', compact && 'max-sm:sr-only')}>
        {label}
      </label>
      {control({
        ...own,
        id,
        'aria-describedby': described || undefined,
        'aria-invalid': error ? true : undefined,
      } as ControlProps<Tag>)}
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

export const Field = (props: FieldProps<'input'>) => (
  <FieldFrame<'input'> {...props} control={input => <input {...input} className={CONTROL_LOOK} />} />
)

interface InlineInputProps extends Omit<ComponentProps<'input'>, 'defaultValue'> {
  defaultValue?: string
  /** Called with the typed text on Enter and when field or page is left; with the first value on Escape. */
  onDone(typed: string): void
}

/** A field that replaces the thing it edits, opened by a press. Leaving it for a button beside it keeps it open. */
export function InlineInput({ onDone, defaultValue = '', ...input }: InlineInputProps) {
  const field = useRef<HTMLInputElement>(null)
  const last = useRef(defaultValue)
  const done = (typed: string) => {
    last.current = field.current?.value ?? typed
    onDone(typed)
  }
  useSaveOnLeaving(field, typed => {
    // A press on a button beside the field discards what was typed.
    if (typed === last.current || field.current !== document.activeElement) return false
    done(typed)
    return true
  })
  return (
    <input
      ref={field}
      // biome-ignore lint/a11y/noAutofocus: it appears because its button was pressed
      autoFocus
      dir="auto"
      defaultValue={defaultValue}
      onBlur={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.parentElement?.contains(relatedTarget)) done(currentTarget.value)
      }}
      onKeyDown={({ key, currentTarget, nativeEvent }) => {
        if (isComposing(nativeEvent)) return
        if (key === 'Escape') done(defaultValue)
        if (key === 'Enter') done(currentTarget.value)
      }}
      {...input}
    />
  )
}

export const EmailField = (props: Omit<FieldProps<'input'>, 'label'>) => (
  <Field label={i18n.t('Email')} type="email" autoComplete="email" {...props} />
)

export const TextArea = (props: FieldProps<'textarea'>) => (
  <FieldFrame<'textarea'>
    {...props}
    control={area => <textarea rows={6} {...area} className={CONTROL_LOOK} />}
  />
)

interface Option {
  id: string
  label: string
  /** The heading of the option and its neighbors. */
  group?: string
}

const optionOf = ({ id, label }: Option) => (
  <option key={id} value={id}>
    {label}
  </option>
)

interface SelectProps extends FieldProps<'select'> {
  /** Options after the children. */
  options: readonly Option[]
}

export const Select = ({ options, children, ...props }: SelectProps) => (
  <FieldFrame<'select'>
    {...props}
    control={select => (
      <div className="relative">
        <select
          {...select}
          className={classes(CONTROL_LOOK, 'field-sizing-content appearance-none whitespace-normal pe-11')}
        >
          {children}
          {[...Map.groupBy(options, ({ group = '' }) => group)].map(([group, entries]) =>
            group ? (
              <optgroup key={group} label={group}>
                {entries.map(optionOf)}
              </optgroup>
            ) : (
              entries.map(optionOf)
            ),
          )}
        </select>
        <Chevron className="pointer-events-none absolute inset-y-0 end-3.5 my-auto text-soft" />
      </div>
    )}
  />
)

/** By default, the field for the current password. */
export function PasswordField({
  label = i18n.t('Password'),
  ...props
}: Omit<FieldProps<'input'>, 'type' | 'label'> & { label?: string }) {
  const [shown, setShown] = useState(false)
  // German nouns keep their capital.
  const field = currentLanguage() === 'de' ? label : label.toLocaleLowerCase(i18n.locale)
  return (
    <FieldFrame<'input'>
      label={label}
      autoComplete="current-password"
      {...props}
      control={input => (
        <div className="relative">
          <input
            {...input}
            type={shown ? 'text' : 'password'}
            // Some browsers send the text that they spell-check to their vendors.
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

import {
  type ComponentProps,
  createContext,
  type ReactNode,
  type SubmitEventHandler,
  use,
  useEffect,
  useRef,
} from 'react'
import { Button } from '../action/button.tsx'
import { classes } from '../classes.ts'
import { Banner } from '../feedback/banner.tsx'
import { messageOf } from '../feedback/error-message.ts'

interface FormProps {
  /** While its call runs the fields are disabled, and its error stands above them. */
  of: { onSubmit: SubmitEventHandler<HTMLFormElement>; call: { isPending: boolean; error: unknown } }
  /** For a failure without a message. */
  fallback: string
  className?: string
  children: ReactNode
}

const IsSending = createContext(false)

export const Form = ({ of: { onSubmit, call }, fallback, className, children }: FormProps) => (
  <IsSending value={call.isPending}>
    <form onSubmit={onSubmit} noValidate>
      <fieldset disabled={call.isPending} className={classes('grid gap-5', className)}>
        {call.error ? <FormMessage of={call.error}>{messageOf(call.error, fallback)}</FormMessage> : null}
        {children}
      </fieldset>
    </form>
  </IsSending>
)

/** Sends the form it is in; as wide as its words, unless a class says otherwise. */
export const SubmitButton = (props: ComponentProps<typeof Button>) => (
  <Button className="justify-self-start" {...props} type="submit" busy={use(IsSending)} />
)

interface FormMessageProps {
  /** The outcome that is shown; a new value is a new message. */
  of: unknown
  tone?: 'error' | 'success'
  children: ReactNode
}

/** The outcome of a form. It takes the focus, which the busy form's fields have lost. */
export function FormMessage({ of, tone = 'error', children }: FormMessageProps) {
  const box = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new outcome is the reason
  useEffect(() => box.current?.focus(), [of])
  return (
    <div ref={box} tabIndex={-1} className="col-span-full">
      <Banner tone={tone}>{children}</Banner>
    </div>
  )
}

import { zodResolver } from '@hookform/resolvers/zod'
import { type QueryFilters, useMutation, useQueryClient } from '@tanstack/react-query'
import { refusalIn } from '@voxscribe/contracts/refusals'
import {
  type ComponentProps,
  createContext,
  type ReactNode,
  type SubmitEventHandler,
  use,
  useEffect,
  useRef,
  useState,
} from 'react'
import {
  type FieldError,
  type FieldValues,
  get,
  type Path,
  type PathValue,
  type UseFormProps,
  useForm,
} from 'react-hook-form'
import type { z } from 'zod'
import { i18n } from '../../language/i18n.ts'
import { Button } from '../action/button.tsx'
import { classes } from '../classes.ts'
import { Banner } from '../feedback/banner.tsx'
import { messageOf, toast } from '../feedback/toast.ts'

interface FormProps {
  /** While its call runs, the fields are disabled; its error appears above them. */
  of: {
    onSubmit: SubmitEventHandler<HTMLFormElement>
    call: { isPending: boolean; isSuccess: boolean; error: unknown; submittedAt: number }
  }
  /** For a failure without a message. */
  fallback: string
  /** Shown after success. */
  done?: string
  className?: string
  children: ReactNode
}

const IsSending = createContext(false)

export const Form = ({ of: { onSubmit, call }, fallback, done, className, children }: FormProps) => (
  <IsSending value={call.isPending}>
    <form onSubmit={onSubmit} noValidate>
      <fieldset disabled={call.isPending} className={classes('grid gap-5', className)}>
        {call.error ? <FormMessage of={call.error}>{messageOf(call.error, fallback)}</FormMessage> : null}
        {done && call.isSuccess && (
          <FormMessage of={call.submittedAt} tone="success">
            {done}
          </FormMessage>
        )}
        {children}
      </fieldset>
    </form>
  </IsSending>
)

/** Submits its form; as wide as its label, unless a class sets another width. */
export const SubmitButton = (props: ComponentProps<typeof Button>) => (
  <Button className="justify-self-start" {...props} type="submit" busy={use(IsSending)} />
)

interface FormMessageProps {
  /** The outcome to show; each new value is a new message. */
  of: unknown
  tone?: 'error' | 'success'
  children: ReactNode
}

/** The outcome of a form. It takes the focus, which the disabled fields have lost. */
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

const UNANSWERED_MS = 60_000

interface CallOf<Input extends FieldValues, Output, Data> extends UseFormProps<Input, unknown, Output> {
  schema: z.ZodType<Output, Input>
  send(values: Output): Promise<Data>
  onSuccess?(data: Data): void
  /** The queries to reload, after a failure, too. */
  reload?: QueryFilters
  /** Toast if no response came, on whichever page the person is by then: the call may have ended their session. */
  unanswered?: string
  /** Whether these values need a confirmation first, which the screen asks for while there is a `question`. */
  needsConfirmation?(values: Output): boolean | Promise<boolean>
}

/** A form whose values make one call. The server's errors about single fields appear at those fields. */
export function useCallForm<Input extends FieldValues, Output, Data>(options: CallOf<Input, Output, Data>) {
  const { schema, send, onSuccess, reload, unanswered, needsConfirmation, ...rest } = options
  const queries = useQueryClient()
  const [asked, setAsked] = useState<{ values: Output }>()
  const form = useForm({ ...rest, resolver: zodResolver(schema) })
  const call = useMutation({
    mutationFn: send,
    onSuccess,
    onError: error => {
      for (const { field, message } of Object(error).errors ?? [])
        form.setError(field as Path<Input>, { type: 'server', message })
      if (unanswered && Object(error).status === 0)
        toast(unanswered, { type: 'warning', duration: UNANSWERED_MS })
    },
    onSettled: () => void (reload && queries.invalidateQueries(reload)),
  })
  const errorOf = (name: Path<Input>) => {
    const message = (get(form.formState.errors, name) as FieldError | undefined)?.message
    return message && (refusalIn(i18n, '', message) ?? i18n.t(message))
  }
  return {
    form,
    call,
    onSubmit: form.handleSubmit(async values => {
      if (await needsConfirmation?.(values)) return setAsked({ values })
      setAsked(undefined)
      call.mutate(values)
    }),
    question: asked && {
      onClose: () => setAsked(undefined),
      onConfirm() {
        setAsked(undefined)
        call.mutate(asked.values)
      },
    },
    errorOf,
    field: (name: Path<Input>) => ({ ...form.register(name), error: errorOf(name) }),
    /** Returns the props of a field that isn't a plain input: its value, change handler and error. */
    controlled: <Name extends Path<Input>>(name: Name) => ({
      value: form.watch(name),
      onChange: (value: PathValue<Input, Name>) =>
        form.setValue(name, value, { shouldDirty: true, shouldValidate: Boolean(errorOf(name)) }),
      error: errorOf(name),
    }),
  }
}

import { type ReactNode, useEffect, useRef } from 'react'
import { messageOf } from '../api/errors.ts'
import { Banner } from './banner.tsx'

interface FormMessageProps {
  /** Another one is another message. */
  of: unknown
  tone?: 'error' | 'success'
  children: ReactNode
}

/** What came of a form. It takes the focus, which the busy form's fields have lost. */
export function FormMessage({ of, tone = 'error', children }: FormMessageProps) {
  const box = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new outcome is the reason
  useEffect(() => box.current?.focus(), [of])
  return (
    <div ref={box} tabIndex={-1}>
      <Banner tone={tone}>{children}</Banner>
    </div>
  )
}

/** What a form's call came back with; nothing while it did not fail. */
export const FormError = ({ error, fallback }: { error: unknown; fallback: string }) =>
  error ? <FormMessage of={error}>{messageOf(error, fallback)}</FormMessage> : null

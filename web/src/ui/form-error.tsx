import { useEffect, useRef } from 'react'
import { messageOf } from '../api/errors.ts'
import { Banner } from './banner.tsx'

/** What a form's call came back with. It takes the focus, which the busy form's fields have lost. */
export function FormError({ error, fallback }: { error: unknown; fallback: string }) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (error) box.current?.focus()
  }, [error])
  if (!error) return null
  return (
    <div ref={box} tabIndex={-1}>
      <Banner>{messageOf(error, fallback)}</Banner>
    </div>
  )
}

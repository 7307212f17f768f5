import { useEffect, useState } from 'react'
import { i18n } from '../../language/i18n.ts'
import { Button } from '../action/button.tsx'
import { toast } from './toast.ts'

interface CopyButtonProps {
  text: string
  label: string
  size?: 'small' | 'normal'
  variant?: 'secondary' | 'quiet'
  /** Whether it was copied already. */
  copied?: boolean
}

/** Puts the text on the clipboard and says so on itself for two seconds. */
export function CopyButton({
  text,
  label,
  size = 'small',
  variant = 'secondary',
  ...before
}: CopyButtonProps) {
  const [copied, setCopied] = useState(before.copied ?? false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), 2_000)
    return () => clearTimeout(timer)
  }, [copied])
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      setCopied(true)
    } catch {
      toast(i18n.t('Your browser blocked copying. Please select the text instead.'), { type: 'error' })
    }
  }
  return (
    <>
      <Button variant={variant} size={size} onClick={copy}>
        {copied ? i18n.t('Copied') : label}
      </Button>
      <span role="status" className="sr-only">
        {copied ? i18n.t('Copied') : ''}
      </span>
    </>
  )
}

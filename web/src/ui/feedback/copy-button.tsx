import { useState } from 'react'
import { i18n } from '../../language/i18n.ts'
import { Button } from '../action/button.tsx'
import { toast } from './toast.ts'

interface CopyButtonProps {
  text: string
  label: string
  size?: 'small' | 'normal'
  variant?: 'secondary' | 'quiet'
}

/** Puts the text on the clipboard and says so on itself for two seconds. */
export function CopyButton({ text, label, size = 'small', variant = 'secondary' }: CopyButtonProps) {
  const [copied, setCopied] = useState(false)
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      setCopied(true)
      setTimeout(() => setCopied(false), 2000)
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

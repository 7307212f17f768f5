import { type ReactNode, useEffect, useState } from 'react'
import { i18n } from '../../language/i18n.ts'
import { Button } from '../action/button.tsx'

/** Puts a text on the clipboard. Returns whether the browser let us. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return false
  }
}

export const copyBlocked = () => i18n.t('Your browser blocked copying. Please select the text instead.')

interface CopyButtonProps {
  text: string
  label: string
  size?: 'small' | 'normal'
  variant?: 'secondary' | 'quiet'
  /** Whether it was copied already. */
  copied?: boolean | undefined
}

/** Puts the text on the clipboard and says so on itself for two seconds, or beside itself that the browser refused. */
export function CopyButton({
  text,
  label,
  size = 'small',
  variant = 'secondary',
  ...before
}: CopyButtonProps) {
  const [isCopied, setCopied] = useState(before.copied)
  useEffect(() => {
    if (!isCopied) return
    const timer = setTimeout(() => setCopied(undefined), 2_000)
    return () => clearTimeout(timer)
  }, [isCopied])
  return (
    <>
      <Button variant={variant} size={size} onClick={async () => setCopied(await copyText(text))}>
        {isCopied ? i18n.t('Copied') : label}
      </Button>
      <span role="status" className={isCopied === false ? 'self-center text-bad text-sm' : 'sr-only'}>
        {isCopied ? i18n.t('Copied') : isCopied === false && copyBlocked()}
      </span>
    </>
  )
}

interface CopyableProps extends CopyButtonProps {
  /** Further buttons beside its own. */
  children?: ReactNode
}

/** A link, or several, to be copied whole. */
export const Copyable = ({ children, ...copy }: CopyableProps) => (
  <>
    <code
      dir="ltr"
      translate="no"
      className="max-h-60 select-all overflow-y-auto whitespace-pre-wrap break-all rounded-md bg-sunken px-2 py-1 text-ink"
    >
      {copy.text}
    </code>
    <div className="flex flex-wrap gap-2">
      <CopyButton {...copy} />
      {children}
    </div>
  </>
)

import { type ReactNode, useState } from 'react'
import { i18n } from '../../language/i18n.ts'
import { Button } from '../action/button.tsx'
import { useTimer } from '../action/use-timer.ts'

/** Copies a text to the clipboard. Returns whether the browser allowed it. */
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
  /** Whether the text has already been copied. */
  copied?: boolean | undefined
}

/** Copies the text to the clipboard and confirms it for two seconds, or says beside it that the browser refused. */
export function CopyButton({
  text,
  label,
  size = 'small',
  variant = 'secondary',
  ...before
}: CopyButtonProps) {
  const [isCopied, setCopied] = useState(before.copied)
  useTimer(isCopied === true, 2_000, () => setCopied(undefined))
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
  /** More buttons beside the copy button. */
  children?: ReactNode
}

/** One or several links, to be copied whole. */
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

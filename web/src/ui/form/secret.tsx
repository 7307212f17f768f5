import { useKept } from '../../use-kept.ts'
import { CopyButton } from '../feedback/copy-button.tsx'
import { FormMessage } from './form.tsx'

/** A secret that is shown once. It survives a new language, which recreates the component, but is never stored. */
export const useSecret = (name: string) => useKept<string>(['secret', name], { gcTime: 0 })

interface SecretProps {
  secret: string
  children: string
  copyLabel: string
}

export const Secret = ({ secret, children, copyLabel }: SecretProps) => (
  <FormMessage of={secret} tone="success">
    {children}
    <span className="mt-3 flex flex-wrap items-center gap-3">
      <code
        dir="ltr"
        translate="no"
        className="select-all break-all rounded-md bg-surface px-2 py-1 text-ink"
      >
        {secret}
      </code>
      <CopyButton text={secret} label={copyLabel} />
    </span>
  </FormMessage>
)

import type { PublicConfig } from '@voxscribe/contracts/http'
import { createContext, type ReactNode, useContext, useEffect, useState } from 'react'

const Installation = createContext<PublicConfig | null | undefined>(undefined)

/** Fetches the public settings for what loads without the query library: header, footer, landing page, blog. */
export function WithInstallation({ children }: { children: ReactNode }) {
  const [config, setConfig] = useState<PublicConfig | null>()
  useEffect(() => {
    const leaving = new AbortController()
    // Without the client of the other pages, which is a fifth of what a visitor loads.
    const ask = async () => {
      const answer = await fetch('/api/config', { signal: leaving.signal })
      setConfig((await answer.json()).data)
    }
    ask().catch(() => leaving.signal.aborted || setConfig(null))
    return () => leaving.abort()
  }, [])
  return <Installation value={config}>{children}</Installation>
}

/** The installation’s rule for new accounts; `open` until it is known, and where a gateway of an earlier version answers. */
export const useSignUp = () => useInstallation()?.signIn?.signUp ?? 'open'

/** Whether anyone may open an account: else no page offers that. */
export const useOpenToAll = () => useSignUp() === 'open'

/** Whether people sign in by passwords, and the name of the own provider that they can sign in by. */
export function useWaysIn() {
  const { passwords = true, oidc = null } = useInstallation()?.signIn ?? {}
  return { passwords, provider: oidc }
}

/** The public settings of this installation; undefined until it has answered. */
export const useInstallation = () => useContext(Installation) ?? undefined

/** Whether the installation was asked for its settings, with or without an answer. */
export const useAsked = () => useContext(Installation) !== undefined

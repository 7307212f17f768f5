import type { PublicConfig } from '@voxscribe/contracts/http'
import { createContext, type ReactNode, useContext, useEffect, useState } from 'react'

const Installation = createContext<PublicConfig | null | undefined>(undefined)

/** Fetches the public settings for what loads without the query library: header, footer, landing page, blog. */
export function WithInstallation({ children }: { children: ReactNode }) {
  const [config, setConfig] = useState<PublicConfig | null>()
  useEffect(() => {
    const leaving = new AbortController()
    // This uses fetch, because the other pages' HTTP client is a fifth of what a visitor loads.
    const ask = async () => {
      const answer = await fetch('/api/config', { signal: leaving.signal })
      setConfig((await answer.json()).data)
    }
    ask().catch(() => leaving.signal.aborted || setConfig(null))
    return () => leaving.abort()
  }, [])
  return <Installation value={config}>{children}</Installation>
}

/** The installation's rule for new accounts; `open` until it is known, or if an older gateway doesn't send it. */
export const useSignUp = () => useInstallation()?.signIn?.signUp ?? 'open'

/** Whether anyone may create an account; otherwise no page offers it. */
export const useOpenToAll = () => useSignUp() === 'open'

/** Whether people sign in with passwords, and the name of the operator's own identity provider, or null. */
export function useSignInMethods() {
  const { passwords = true, oidc = null } = useInstallation()?.signIn ?? {}
  return { passwords, provider: oidc }
}

/** The public settings of this installation; undefined until they have loaded, and if loading failed. */
export const useInstallation = () => useContext(Installation) ?? undefined

/** Whether loading the settings has finished, successfully or not. */
export const useSettingsLoaded = () => useContext(Installation) !== undefined

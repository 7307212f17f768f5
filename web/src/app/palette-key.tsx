import { type ComponentType, useEffect, useState } from 'react'
import { useLocation } from 'react-router-dom'
import { i18n } from '../language/i18n.ts'
import { useSession } from '../session/session.ts'
import { useKeys } from '../ui/action/use-keys.ts'
import { toastError } from '../ui/feedback/toast.ts'

/** Opens the palette on Ctrl-K or ⌘K for signed-in people. */
export function PaletteKey() {
  const isSignedIn = useSession().status === 'signed-in'
  const [Palette, setPalette] = useState<ComponentType<{ onClose(): void }>>()
  const open = () =>
    void import('./palette.tsx').then(
      loaded => setPalette(() => loaded.default),
      error => toastError(error, i18n.t('That didn’t work')),
    )
  const { pathname } = useLocation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page is the reason
  useEffect(() => setPalette(undefined), [pathname])
  useKeys(key => key === 'Ctrl+k' && isSignedIn && open, { whileTyping: true })
  return Palette && <Palette onClose={() => setPalette(undefined)} />
}

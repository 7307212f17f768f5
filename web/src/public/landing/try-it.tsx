import { type ComponentType, useState } from 'react'
import { useInstallation } from '../../api/installation.tsx'
import { i18n } from '../../language/i18n.ts'
import { Button } from '../../ui/action/button.tsx'
import { classes } from '../../ui/classes.ts'
import { toastError } from '../../ui/feedback/toast.ts'
import { Icon } from '../../ui/icon.tsx'

const MICROPHONE =
  'M12 3a3 3 0 0 0-3 3v6a3 3 0 0 0 6 0V6a3 3 0 0 0-3-3zM5.500 11.500a6.500 6.500 0 0 0 13 0M12 18v3'

/** The microphone for a note without an account. A press loads the code that records. */
export function TryIt() {
  const isOn = useInstallation()?.try ?? true
  const [TryNote, setTryNote] = useState<ComponentType>()
  const [isLoading, setLoading] = useState(false)
  if (TryNote) return <TryNote />
  async function begin() {
    setLoading(true)
    try {
      const loaded = await import('./try-note.tsx')
      setTryNote(() => loaded.default)
    } catch (error) {
      toastError(error, i18n.t('That didn’t work'))
    }
    setLoading(false)
  }
  return (
    <div className={classes('flex flex-wrap items-center gap-x-4 gap-y-2', !isOn && 'hidden')}>
      <Button variant="secondary" size="large" busy={isLoading} onClick={begin}>
        <Icon of={MICROPHONE} width={1.75} className="size-5" />
        {i18n.t('Speak for half a minute')}
      </Button>
      <span className="text-soft">{i18n.t('No account needed; nothing is kept.')}</span>
    </div>
  )
}

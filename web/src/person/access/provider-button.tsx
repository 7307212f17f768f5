import { useState } from 'react'
import { useLocation } from 'react-router-dom'
import { i18n } from '../../language/i18n.ts'
import { call } from '../../session/client.ts'
import { readStored, removeStored, writeStored } from '../../storage.ts'
import { Button } from '../../ui/action/button.tsx'
import { useAction } from '../../ui/feedback/use-action.ts'

const LEFT_AT = 'leftForProvider'

interface ProviderButtonProps {
  name: string
  /** Another way to sign in follows. */
  apart?: boolean
}

/** Sends the browser to the installation's own provider. */
export function ProviderButton({ name, apart }: ProviderButtonProps) {
  const { state, search } = useLocation()
  const [isLeaving, setLeaving] = useState(false)
  const leaving = useAction({
    send: () => call('beginOidc'),
    onSuccess({ data }) {
      setLeaving(true)
      writeStored(LEFT_AT, JSON.stringify({ from: Object(state).from, search }))
      window.location.assign(data.url)
    },
    failed: i18n.t('Login failed'),
  })
  return (
    <div className={apart ? 'mb-8 border-line border-b pb-6' : undefined}>
      <Button className="w-full" busy={leaving.isPending || isLeaving} onClick={() => leaving.run()}>
        {i18n.t('Continue with {name}', { name })}
      </Button>
    </div>
  )
}

/** Returns, once, what the person was about to do: the page that they wanted, and the query of the one they left. */
export function takeLeft(): { from?: unknown; search?: string } {
  try {
    return Object(JSON.parse(readStored(LEFT_AT) ?? '{}'))
  } catch {
    return {}
  } finally {
    removeStored(LEFT_AT)
  }
}

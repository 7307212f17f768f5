import { useQuery } from '@tanstack/react-query'
import type { ConnectRequest } from '@voxscribe/contracts/http'
import { useEffect, useState } from 'react'
import { useParams } from 'react-router-dom'
import { i18n } from '../language/i18n.ts'
import { call } from '../session/client.ts'
import { useProfile } from '../session/use-profile.ts'
import { Button } from '../ui/action/button.tsx'
import { useListener } from '../ui/action/use-listener.ts'
import { Badge } from '../ui/feedback/badge.tsx'
import { LoadError, Skeletons } from '../ui/feedback/loading.tsx'
import { messageOf } from '../ui/feedback/toast.ts'
import { useAction } from '../ui/feedback/use-action.ts'
import { day } from '../ui/figures.ts'
import { Facts } from '../ui/layout/facts.tsx'
import { Page } from '../ui/layout/page.tsx'
import { SCOPES } from './keys.tsx'

/** Asks whether a program may connect; its authorization request sends the browser here. */
export default function ConnectScreen() {
  const { id = '' } = useParams()
  const request = useQuery({
    queryKey: ['connect', id],
    queryFn: async ({ signal }) => (await call('connectRequest', { params: { id }, signal })).data,
  })
  if (request.data) return <Question id={id} {...request.data} />
  const isOver = Object(request.error).status === 404
  return (
    <Page title={i18n.t('Connect a program')} className="max-w-2xl">
      {isOver && <p className="mt-4 text-lg">{messageOf(request.error, '')}</p>}
      {!isOver && <LoadError of={[request]} fallback={i18n.t('Failed to load the request')} />}
      {request.isPending && <Skeletons className="mt-6 gap-4" heights={['h-10 w-2/3', 'h-28']} />}
    </Page>
  )
}

/** Longer than a double click. */
const IN_FRONT_MS = 600

/** Whether the page has been in front for a while: an earlier press may have been meant for the previous window. */
function useInFront(): boolean {
  const [seen, setSeen] = useState({ isLong: false })
  useListener(window, ['focus'], () => setSeen({ isLong: false }))
  useEffect(() => {
    if (seen.isLong) return
    const timer = setTimeout(setSeen, IN_FRONT_MS, { isLong: true })
    return () => clearTimeout(timer)
  }, [seen])
  return seen.isLong
}

const LOOPBACK = /^(localhost|127\.0\.0\.1|\[::1\])(:|$)/

function Question({ id, client, scopes, expires }: ConnectRequest & { id: string }) {
  const { name, host, redirectHost } = client
  const isOfDevice = LOOPBACK.test(redirectHost)
  const [isLeaving, setLeaving] = useState(false)
  const isInFront = useInFront()
  const profile = useProfile().data
  const answering = useAction({
    send: (allow: boolean) => call('answerConnectRequest', { params: { id }, body: { allow } }),
    onSuccess({ data }) {
      setLeaving(true)
      window.location.assign(data.redirectTo)
    },
    failed: i18n.t('Your answer couldn’t be sent'),
  })
  const busy = answering.isPending || isLeaving
  return (
    <Page title={i18n.t('Let “{name}” in?', { name })} className="max-w-2xl">
      <Facts
        className="mt-6"
        facts={[
          [
            i18n.t('Who asks'),
            <>
              <bdi key="host" dir="ltr" translate="no">
                {host}
              </bdi>{' '}
              <Badge tone="warn">{i18n.t('Not verified')}</Badge>
            </>,
          ],
          [
            i18n.t('Gets access'),
            isOfDevice
              ? i18n.t('A program on this device ({host})', { host: redirectHost })
              : host !== redirectHost && redirectHost,
          ],
          [i18n.t('Your account'), profile?.user.email],
          [
            i18n.t('Until'),
            i18n.t('{day}, or later if it is used; you can end it any time', { day: day(expires) }),
          ],
        ]}
      />
      <p className="mt-4 text-soft">
        {isOfDevice
          ? i18n.t(
              'Any program on this device can call itself “{name}”. Allow it only if you have just started this yourself.',
              { name },
            )
          : i18n.t(
              'Any program can call itself “{name}”. Allow it only if you have just started this yourself, and you trust {host}.',
              { name, host: redirectHost },
            )}
      </p>
      <h2 className="mt-6 text-lg">{i18n.t('What it may do')}</h2>
      <ul className="mt-2 grid list-disc gap-1 ps-5">
        {scopes.map(scope => (
          <li key={scope}>{i18n.t(SCOPES[scope][1])}</li>
        ))}
      </ul>
      <div className="mt-8 flex flex-wrap gap-3">
        <Button busy={busy} disabled={!isInFront} onClick={() => answering.run(true)}>
          {i18n.t('Allow')}
        </Button>
        <Button variant="secondary" disabled={busy} onClick={() => answering.run(false)}>
          {i18n.t('Don’t allow')}
        </Button>
      </div>
    </Page>
  )
}

import { Trans } from '@lingui/react'
import { useQuery } from '@tanstack/react-query'
import type { SignedInDevice } from '@voxscribe/contracts/http'
import { useWaysIn } from '../api/installation.tsx'
import { i18n } from '../language/i18n.ts'
import { call } from '../session/client.ts'
import { replaceTokens } from '../session/renewal.ts'
import { useProfileChange } from '../session/use-profile.ts'
import { useSession } from '../session/use-session.ts'
import { Button, HEARD } from '../ui/action/button.tsx'
import { Badge } from '../ui/feedback/badge.tsx'
import { LoadError, Skeletons } from '../ui/feedback/loading.tsx'
import { toast } from '../ui/feedback/toast.ts'
import { useAction } from '../ui/feedback/use-action.ts'
import { day, moment } from '../ui/figures.ts'
import { TitledCard } from '../ui/layout/card.tsx'
import { Entries, Entry } from '../ui/layout/facts.tsx'

export const SESSIONS = { queryKey: ['sessions'] }

export function SessionsCard() {
  const sessions = useQuery({
    ...SESSIONS,
    queryFn: async ({ signal }) => (await call('sessions', { signal })).data.sessions,
  })
  const { reload } = useProfileChange()
  const { user } = useSession()
  const hasPassword = useWaysIn().passwords && !user?.without_password
  const ending = useEnding(async () => {
    await replaceTokens(() => call('endOtherSessions'))
    void reload()
  })
  const found = sessions.data ?? []
  return (
    <TitledCard title={i18n.t('Where you’re signed in')} large>
      <LoadError of={[sessions]} fallback={i18n.t('Failed to load your devices')} className="mt-4" />
      {sessions.isPending && <Skeletons className="mt-4 gap-3" heights={['h-20', 'h-20']} />}
      {found.length > 0 && (
        <Entries name={i18n.t('Devices')}>
          {found.map(session => (
            <Device key={session.id} {...session} />
          ))}
        </Entries>
      )}
      {found.length > 1 && (
        <Button variant="secondary" className="mt-6" busy={ending.isPending} onClick={ending.run}>
          {i18n.t('Sign out on all other devices')}
        </Button>
      )}
      <p className="mt-4 text-soft text-sm">
        {hasPassword
          ? i18n.t('A device that you don’t know? Sign it out, and change your password.')
          : i18n.t('A device that you don’t know? Sign it out.')}
      </p>
    </TitledCard>
  )
}

/** Ends sessions, and loads the list again. */
const useEnding = (send: () => Promise<unknown>) =>
  useAction({
    send,
    onSuccess: () => toast(i18n.t('Signed out there.'), { type: 'success' }),
    failed: i18n.t('The device couldn’t be signed out'),
    reload: SESSIONS,
  })

/** The server's words are English; names of browsers and systems are the same everywhere. */
function nameOf(device: string): string {
  const [browser, system] = device.split(' on ')
  return system ? i18n.t('{browser} on {system}', { browser, system }) : i18n.t('Unknown device')
}

function Device({ id, device, createdAt, lastUsedAt, current }: SignedInDevice) {
  const ending = useEnding(() => call('endSession', { params: { id } }))
  const name = nameOf(device)
  return (
    <Entry
      name={name}
      marks={current && <Badge tone="good">{i18n.t('This device')}</Badge>}
      acts={
        !current && (
          <Button variant="quiet" size="small" busy={ending.isPending} onClick={ending.run}>
            <Trans id="Sign out <0>{name}</0>" components={HEARD} values={{ name }} />
          </Button>
        )
      }
      facts={[
        [i18n.t('Signed in'), day(createdAt)],
        [i18n.t('Last used|device'), moment(lastUsedAt)],
      ]}
    />
  )
}

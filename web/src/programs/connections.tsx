import { Trans } from '@lingui/react'
import { queryOptions, useQuery } from '@tanstack/react-query'
import type { OAuthGrant } from '@voxscribe/contracts/http'
import { useWaysIn } from '../api/installation.tsx'
import { i18n } from '../language/i18n.ts'
import { call } from '../session/client.ts'
import { AskButton } from '../ui/action/ask-button.tsx'
import { TextLink } from '../ui/action/text-link.tsx'
import { Badge } from '../ui/feedback/badge.tsx'
import { LoadError } from '../ui/feedback/load-error.tsx'
import { toast } from '../ui/feedback/toast.ts'
import { useAction } from '../ui/feedback/use-action.ts'
import { day, moment } from '../ui/figures.ts'
import { TitledCard } from '../ui/layout/card.tsx'
import { Entry } from '../ui/layout/entry.tsx'
import { SCOPES } from './scopes.ts'

/** The assistants that a person has let in. */
export const grantsQuery = queryOptions({
  queryKey: ['grants'],
  queryFn: async ({ signal }) => (await call('grants', { signal })).data.grants,
})

export function Connections() {
  const { passwords } = useWaysIn()
  const grants = useQuery(grantsQuery)
  return (
    <TitledCard title={i18n.t('Connected assistants')} large tabIndex={-1} className="mt-8">
      <p className="mt-2 text-soft">
        {grants.data?.length === 0 && `${i18n.t('None is connected yet.')} `}
        <Trans
          id="Claude, ChatGPT and other assistants can search and read your notes once you let them in. <0>How to connect one</0>"
          components={{ 0: <TextLink to="/docs/connect#assistants" /> }}
        />
      </p>
      <LoadError of={[grants]} fallback={i18n.t('Failed to load your assistants')} className="mt-4" />
      {grants.data && grants.data.length > 0 && (
        <>
          <ul className="mt-4 divide-y divide-line border-line border-y">
            {grants.data.map(grant => (
              <Connection key={grant.id} {...grant} />
            ))}
          </ul>
          <p className="mt-4 text-soft text-sm">
            {passwords
              ? i18n.t(
                  'When you sign out on all other devices, or reset your password, all connections end, too.',
                )
              : i18n.t('When you sign out on all other devices, all connections end, too.')}
          </p>
        </>
      )}
    </TitledCard>
  )
}

function Connection({ id, name, host, scopes, createdAt, lastUsedAt }: OAuthGrant) {
  const ending = useAction({
    send: () => call('endGrant', { params: { id } }),
    onSuccess: () => toast(i18n.t('It is disconnected.'), { type: 'success' }),
    failed: i18n.t('It couldn’t be disconnected'),
    reload: grantsQuery,
  })
  return (
    <Entry
      name={name}
      marks={scopes.map(scope => <Badge key={scope}>{i18n.t(SCOPES[scope][0])}</Badge>)}
      acts={
        <AskButton
          label={
            <Trans
              id="Disconnect <0>{name}</0>"
              components={{ 0: <span className="sr-only" /> }}
              values={{ name }}
            />
          }
          title={i18n.t('Disconnect it?')}
          confirmLabel={i18n.t('Disconnect')}
          danger
          onConfirm={ending.run}
        >
          {i18n.t('“{name}” can no longer read or send anything, at once, until you let it in again.', {
            name,
          })}
        </AskButton>
      }
      facts={[
        [
          i18n.t('Who asks'),
          <bdi key="host" dir="ltr">
            {host}
          </bdi>,
        ],
        [i18n.t('Connected'), day(createdAt)],
        [i18n.t('Last used|assistant'), lastUsedAt ? moment(lastUsedAt) : i18n.t('Never|used')],
      ]}
    />
  )
}

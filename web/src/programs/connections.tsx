import { Trans } from '@lingui/react'
import { queryOptions } from '@tanstack/react-query'
import type { OAuthGrant } from '@voxscribe/contracts/http'
import { i18n } from '../language/i18n.ts'
import { call } from '../session/client.ts'
import { AskButton } from '../ui/action/ask-button.tsx'
import { HEARD } from '../ui/action/button.tsx'
import { toast } from '../ui/feedback/toast.ts'
import { useAction } from '../ui/feedback/use-action.ts'
import { day, moment } from '../ui/figures.ts'
import { Entry } from '../ui/layout/facts.tsx'
import { Marks } from './marks.tsx'

/** The assistants that a person has let in. */
export const grantsQuery = queryOptions({
  queryKey: ['grants'],
  queryFn: async ({ signal }) => (await call('grants', { signal })).data.grants,
})

export function Connection({ id, name, host, scopes, createdAt, lastUsedAt }: OAuthGrant) {
  const ending = useAction({
    send: () => call('endGrant', { params: { id } }),
    onSuccess: () => toast(i18n.t('It is disconnected.'), { type: 'success' }),
    failed: i18n.t('It couldn’t be disconnected'),
    reload: grantsQuery,
  })
  return (
    <Entry
      name={name}
      marks={<Marks kind={i18n.t('Assistant')} scopes={scopes} />}
      acts={
        <AskButton
          label={<Trans id="Disconnect <0>{name}</0>" components={HEARD} values={{ name }} />}
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

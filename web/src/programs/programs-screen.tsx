import { Trans } from '@lingui/react'
import { useQuery } from '@tanstack/react-query'
import type { ApiKey, Hook, OAuthGrant } from '@voxscribe/contracts/http'
import { useSignInMethods } from '../api/installation.tsx'
import { i18n } from '../language/i18n.ts'
import { TextLink } from '../ui/action/button.tsx'
import { LoadError, Skeletons } from '../ui/feedback/loading.tsx'
import { TitledCard } from '../ui/layout/card.tsx'
import { Page } from '../ui/layout/page.tsx'
import { Connection, grantsQuery, Key, keysQuery, NewKey } from './keys.tsx'
import { hooksQuery, NewHook } from './webhooks/hook-form.tsx'
import { HookLine } from './webhooks/hook-line.tsx'

export default function ProgramsScreen() {
  const grants = useQuery(grantsQuery)
  const keys = useQuery(keysQuery)
  const hooks = useQuery(hooksQuery)
  const all = [grants, keys, hooks]
  return (
    <Page
      title={i18n.t('Programs')}
      intro={i18n.t(
        'A program of yours sends recordings and reads texts with a key. ' +
          'A hook is an address of yours that we call when something happens to your notes.',
      )}
    >
      {/* The list is above the forms and would push them down. */}
      {all.some(({ isPending, failureCount }) => isPending && !failureCount) ? (
        <Skeletons className="mt-8 gap-6" heights={['h-40', 'h-dvh']} />
      ) : (
        <>
          <TitledCard title={i18n.t('Your programs')} large tabIndex={-1} className="mt-8">
            <p className="mt-2 text-soft">
              {all.every(({ data }) => data?.length === 0) && `${i18n.t('Nothing is connected yet.')} `}
              <Trans
                id="Claude, ChatGPT and other assistants can search and read your notes once you let them in. <0>How to connect one</0>"
                components={{ 0: <TextLink to="/docs/connect#assistants" /> }}
              />
            </p>
            <LoadError of={all} fallback={i18n.t('Failed to load your programs')} className="mt-4" />
            <Programs grants={grants.data ?? []} keys={keys.data ?? []} hooks={hooks.data ?? []} />
          </TitledCard>
          <NewKey />
          <NewHook />
        </>
      )}
    </Page>
  )
}

/** All connected programs, newest first, so that no use or change moves a line. */
function Programs({ grants, keys, hooks }: { grants: OAuthGrant[]; keys: ApiKey[]; hooks: Hook[] }) {
  const { passwords } = useSignInMethods()
  const lines = [
    ...grants.map(grant => ({ ...grant, line: <Connection key={grant.id} {...grant} /> })),
    ...keys.map(key => ({ ...key, line: <Key key={key.id} {...key} /> })),
    ...hooks.map(hook => ({ ...hook, line: <HookLine key={hook.id} hook={hook} /> })),
  ].sort((one, other) => Date.parse(other.createdAt) - Date.parse(one.createdAt))
  if (!lines.length) return null
  return (
    <>
      <ul className="mt-4 divide-y divide-line border-line border-y">{lines.map(({ line }) => line)}</ul>
      <p className="mt-4 text-soft text-sm">
        {passwords &&
          `${i18n.t('When you change or reset your password, all keys and assistants end, and hooks are turned off.')} `}
        {i18n.t('When you sign out on all other devices, assistants are disconnected.')}
      </p>
    </>
  )
}

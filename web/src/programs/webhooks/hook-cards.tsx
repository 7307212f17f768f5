import { Trans } from '@lingui/react'
import { i18n } from '../../language/i18n.ts'
import { TextLink } from '../../ui/action/text-link.tsx'
import { LoadError } from '../../ui/feedback/load-error.tsx'
import { Skeletons } from '../../ui/feedback/skeleton.tsx'
import { Secret, useSecret } from '../../ui/form/secret.tsx'
import { TitledCard } from '../../ui/layout/card.tsx'
import { HookForm } from './hook-form.tsx'
import { HookLine } from './hook-line.tsx'
import { useHooks } from './hooks.ts'

/** A person's hooks, and a form for a new one. */
export function Hooks() {
  const hooks = useHooks()
  return (
    <>
      <NewHook />
      <TitledCard title={i18n.t('Your hooks')} large tabIndex={-1} className="mt-6">
        <p className="mt-2 text-soft">
          {hooks.data?.length === 0 && `${i18n.t('You have no hooks yet.')} `}
          <Trans
            id="Each message is signed with the hook’s secret and has the note with its text. While the address doesn’t take it, we try again for three days. <0>How to receive messages</0>"
            components={{ 0: <TextLink to="/docs/connect#receive-the-text-by-a-hook" /> }}
          />
        </p>
        <LoadError of={[hooks]} fallback={i18n.t('Failed to load your hooks')} className="mt-4" />
        {hooks.isPending && <Skeletons className="mt-4 gap-3" heights={['h-28', 'h-28']} />}
        {hooks.data && hooks.data.length > 0 && (
          <ul className="mt-4 divide-y divide-line border-line border-t">
            {hooks.data.map(hook => (
              <HookLine key={hook.id} hook={hook} />
            ))}
          </ul>
        )}
      </TitledCard>
    </>
  )
}

function NewHook() {
  const { secret, show } = useSecret('hook')
  return (
    <TitledCard title={i18n.t('New hook')} large className="mt-8 *:mt-4 *:first:mt-0">
      <HookForm
        onSaved={secret => secret && show(secret)}
        outcome={
          secret && (
            <Secret secret={secret} copyLabel={i18n.t('Copy secret')}>
              {i18n.t(
                'Your hook is ready. Copy its secret now and keep it safe: it is shown only this once.',
              )}
            </Secret>
          )
        }
      />
    </TitledCard>
  )
}

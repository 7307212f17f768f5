import { Trans } from '@lingui/react'
import { i18n } from '../../language/i18n.ts'
import { TextLink } from '../../ui/action/button.tsx'
import { Secret, useSecret } from '../../ui/form/secret.tsx'
import { TitledCard } from '../../ui/layout/card.tsx'
import { HookForm } from './hook-form.tsx'

/** A form for a new hook. */
export function NewHook() {
  const { secret, show } = useSecret('hook')
  return (
    <TitledCard title={i18n.t('New hook')} large className="mt-6 *:mt-4 *:first:mt-0">
      <p className="text-soft">
        <Trans
          id="Each message is signed with the hook’s secret and has the note with its text. While the address doesn’t take it, we try again for three days. <0>How to receive messages</0>"
          components={{ 0: <TextLink to="/docs/connect#receive-the-text-by-a-hook" /> }}
        />
      </p>
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

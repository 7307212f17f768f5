import { Trans } from '@lingui/react'
import { useQuery } from '@tanstack/react-query'
import { CreateHookBody, type Hook, type HookDelivery, type HookEvent } from '@voxscribe/contracts/http'
import type { ReactNode } from 'react'
import type { z } from 'zod'
import { i18n } from '../../language/i18n.ts'
import { call, queryOf } from '../../session/client.ts'
import { TextLink } from '../../ui/action/button.tsx'
import { CheckboxGroup } from '../../ui/form/checkbox.tsx'
import { Field } from '../../ui/form/field.tsx'
import { Form, SubmitButton, useCallForm } from '../../ui/form/form.tsx'
import { Secret, useSecret } from '../../ui/form/secret.tsx'
import { TitledCard } from '../../ui/layout/card.tsx'

export const EVENTS: Record<HookEvent, string> = {
  'transcription.completed': /*i18n*/ 'A text is ready',
  'transcription.failed': /*i18n*/ 'A note couldn’t be transcribed',
  'transcription.deleted': /*i18n*/ 'A note was deleted',
  'conversation.completed': /*i18n*/ 'All voice notes of a chat are done',
}
const NEW: z.input<typeof CreateHookBody> = { url: '', events: ['transcription.completed'], description: '' }

interface HookFormProps {
  /** The hook to change; undefined for a new one. */
  hook?: Hook
  /** Called with the secret if the hook is new. */
  onSaved(secret?: string): void
  /** Shown above the fields after success. */
  outcome?: ReactNode
  beside?: ReactNode
}

export function HookForm({ hook, onSaved, outcome, beside }: HookFormProps) {
  const saving = useCallForm({
    schema: CreateHookBody,
    defaultValues: hook ?? NEW,
    async send(body): Promise<string | undefined> {
      if (!hook) return (await call('createHook', { body })).data.secret
      await call('changeHook', { params: { id: hook.id }, body })
    },
    onSuccess(secret) {
      saving.form.reset()
      onSaved(secret)
    },
    reload: hooksQuery,
  })
  const { field } = saving
  return (
    <Form
      of={saving}
      fallback={hook ? i18n.t('Failed to change the hook') : i18n.t('Failed to create the hook')}
    >
      {outcome}
      <Field
        label={i18n.t('Address')}
        type="url"
        dir="ltr"
        placeholder="https://example.com/voxscribe"
        autoComplete="off"
        {...field('url')}
      />
      <Field
        label={i18n.t('Description (optional)')}
        maxLength={200}
        autoComplete="off"
        {...field('description')}
      />
      <CheckboxGroup
        legend={i18n.t('Which events should it receive?')}
        options={Object.entries(EVENTS).map(([id, label]) => ({
          id,
          label: i18n.t(label),
          hint: id,
        }))}
        {...field('events')}
      />
      <div className="flex flex-wrap gap-3">
        <SubmitButton busyLabel={i18n.t('Saving…')}>
          {hook ? i18n.t('Save') : i18n.t('Create hook')}
        </SubmitButton>
        {beside}
      </div>
    </Form>
  )
}

export const hooksQuery = queryOf('hooks', data => data.hooks)
/** Milliseconds between polls while a try is due. */
const LOOK_MS = 2_000
/** Milliseconds before a try is due at which polling starts. */
const SOON_MS = 10_000

const isSoon = ({ status, nextTryAt }: HookDelivery) =>
  status === 'waiting' && Date.parse(nextTryAt ?? '') - Date.now() < SOON_MS

/** The newest messages to a hook, polled while one of them is about to be tried. */
export const useDeliveries = (id: string) =>
  useQuery({
    queryKey: ['hooks', id, 'deliveries'],
    queryFn: async ({ signal }) => (await call('hookDeliveries', { params: { id }, signal })).data.deliveries,
    refetchInterval: ({ state }) => state.data?.some(isSoon) && LOOK_MS,
  })

export function NewHook() {
  const [secret, show] = useSecret('hook')
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

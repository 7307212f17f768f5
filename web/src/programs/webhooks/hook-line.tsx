import type { Hook } from '@voxscribe/contracts/http'
import { useId, useRef, useState } from 'react'
import { useSignInMethods } from '../../api/installation.tsx'
import { i18n } from '../../language/i18n.ts'
import { call } from '../../session/client.ts'
import { AskButton } from '../../ui/action/ask-button.tsx'
import { Button } from '../../ui/action/button.tsx'
import { Badge } from '../../ui/feedback/badge.tsx'
import { toast } from '../../ui/feedback/toast.ts'
import { useAction } from '../../ui/feedback/use-action.ts'
import { day, moment } from '../../ui/figures.ts'
import { Secret, useSecret } from '../../ui/form/secret.tsx'
import { Summary } from '../../ui/layout/details.tsx'
import { Facts } from '../../ui/layout/facts.tsx'
import { Deliveries, TestResult } from './deliveries.tsx'
import { EVENTS, HookForm, hooksQuery } from './hook-form.tsx'

export function HookLine({ hook }: { hook: Hook }) {
  const { id, url, description, enabled, disabledReason } = hook
  const [isChanging, setChanging] = useState(false)
  const headingId = useId()
  const { passwords } = useSignInMethods()
  const heading = useRef<HTMLHeadingElement>(null)
  /** Opens or closes the form, and moves the focus to the heading before it. */
  const change = (isOn: boolean) => () => {
    setChanging(isOn)
    heading.current?.focus()
  }
  const [secret, show] = useSecret(`hook ${id}`)
  return (
    <li className="py-4">
      <article aria-labelledby={headingId} className="grid gap-2">
        <div className="flex flex-wrap items-center gap-2">
          <h3 ref={heading} id={headingId} tabIndex={-1} className="wrap-anywhere min-w-0 text-lg">
            <bdi translate={description ? undefined : 'no'}>{description || url}</bdi>
          </h3>
          <Badge>{i18n.t('Hook|program')}</Badge>
          <Badge tone={enabled ? 'good' : 'neutral'}>{enabled ? i18n.t('On') : i18n.t('Off')}</Badge>
        </div>
        {disabledReason && (
          <p className="text-soft">
            {passwords
              ? i18n.t('Turned off because your password changed. If you made this hook, turn it on again.')
              : i18n.t(
                  'Turned off because a change of your account was undone. If you made this hook, turn it on again.',
                )}
          </p>
        )}
        {isChanging ? (
          <HookForm
            hook={hook}
            onSaved={change(false)}
            beside={
              <Button variant="secondary" onClick={change(false)}>
                {i18n.t('Cancel|form')}
              </Button>
            }
          />
        ) : (
          <HookFacts {...hook} />
        )}
        {secret && (
          <Secret secret={secret} copyLabel={i18n.t('Copy secret')}>
            {i18n.t(
              'Copy the new secret now: it is shown only this once. For a day, messages are signed with the old one, too.',
            )}
          </Secret>
        )}
        <Actions hook={hook} onSecret={show} onChange={change(true)} />
      </article>
    </li>
  )
}

const HookFacts = ({ url, description, events, createdAt, lastUsedAt }: Hook) => (
  <Facts
    look="line"
    facts={[
      [
        i18n.t('Address'),
        description && (
          <code dir="ltr" translate="no">
            {url}
          </code>
        ),
      ],
      [i18n.t('Events'), events.map(event => i18n.t(EVENTS[event])).join(' · ')],
      [i18n.t('Created|hook'), day(createdAt)],
      [i18n.t('Last used|hook'), lastUsedAt ? moment(lastUsedAt) : i18n.t('Never|used')],
    ]}
  />
)

interface ActionsProps {
  hook: Hook
  onSecret(secret: string): void
  onChange(): void
}

function Actions({ hook: { id, url, enabled }, onSecret, onChange }: ActionsProps) {
  const [isOpen, setOpen] = useState(false)
  const [tested, setTested] = useState('')
  const params = { id }
  const test = useAction({
    send: () => call('testHook', { params }),
    onSuccess: ({ data }) => setTested(data.delivery.id),
    failed: i18n.t('The test couldn’t be sent'),
    reload: hooksQuery,
  })
  const turn = useAction({
    send: () => call('changeHook', { params, body: { enabled: !enabled } }),
    failed: i18n.t('Failed to change the hook'),
    reload: hooksQuery,
  })
  const rotation = useAction({
    send: () => call('rotateHook', { params }),
    onSuccess: ({ data }) => onSecret(data.secret),
    failed: i18n.t('Failed to replace the secret'),
    reload: hooksQuery,
  })
  const deletion = useAction({
    send: () => call('deleteHook', { params }),
    onSuccess: () => toast(i18n.t('The hook was deleted.'), { type: 'success' }),
    failed: i18n.t('Failed to delete the hook'),
    reload: hooksQuery,
  })
  return (
    <>
      <div className="-mx-3 flex flex-wrap">
        <Button variant="quiet" size="small" busy={test.isPending} onClick={test.run}>
          {i18n.t('Send a test')}
        </Button>
        <Button variant="quiet" size="small" onClick={onChange}>
          {i18n.t('Change')}
        </Button>
        <Button variant="quiet" size="small" busy={turn.isPending} onClick={turn.run}>
          {enabled ? i18n.t('Turn off|hook') : i18n.t('Turn on|hook')}
        </Button>
        <AskButton
          label={i18n.t('New secret')}
          title={i18n.t('Replace the secret?')}
          confirmLabel={i18n.t('Replace')}
          onConfirm={rotation.run}
        >
          {i18n.t(
            'You get a new secret. The old one stays valid for a day, so that your program can change.',
          )}
        </AskButton>
        <AskButton
          label={i18n.t('Delete')}
          title={i18n.t('Delete this hook?')}
          confirmLabel={i18n.t('Delete')}
          danger
          onConfirm={deletion.run}
        >
          {i18n.t('We’ll stop sending to {url}, and its list of deliveries will be deleted.', { url })}
        </AskButton>
      </div>
      {tested && <TestResult hookId={id} deliveryId={tested} />}
      <details open={isOpen} onToggle={event => setOpen(event.currentTarget.open)}>
        <Summary>{i18n.t('Deliveries')}</Summary>
        {isOpen && <Deliveries hookId={id} />}
      </details>
    </>
  )
}

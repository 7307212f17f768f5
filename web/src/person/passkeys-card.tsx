import { Trans } from '@lingui/react'
import { useQuery } from '@tanstack/react-query'
import { type Passkey, ProvePasswordBody, RenamePasskeyBody } from '@voxscribe/contracts/http'
import { PASSKEY_NAME_MAX } from '@voxscribe/contracts/limits'
import { useState } from 'react'
import { useSignInMethods } from '../api/installation.tsx'
import { i18n } from '../language/i18n.ts'
import { call, queryOf } from '../session/client.ts'
import { useSession } from '../session/session.ts'
import { useProfileChange } from '../session/use-profile.ts'
import { AskButton } from '../ui/action/ask-button.tsx'
import { Button, SCREEN_READER_ONLY } from '../ui/action/button.tsx'
import { LoadError } from '../ui/feedback/loading.tsx'
import { toast } from '../ui/feedback/toast.ts'
import { useAction } from '../ui/feedback/use-action.ts'
import { day, moment } from '../ui/figures.ts'
import { Field, PasswordField } from '../ui/form/field.tsx'
import { Form, SubmitButton, useCallForm } from '../ui/form/form.tsx'
import { TitledCard } from '../ui/layout/card.tsx'
import { Summary } from '../ui/layout/details.tsx'
import { Entry } from '../ui/layout/facts.tsx'
import { passkeys, usePasskeys } from './passkeys.ts'

const passkeysQuery = queryOf('passkeys', data => data.passkeys)

/** The person's passkeys, and a form for a new one if the browser can create it. */
export function PasskeysCard() {
  const { canUse } = usePasskeys()
  const { user } = useSession()
  const { passwords } = useSignInMethods()
  const found = useQuery(passkeysQuery)
  return (
    <TitledCard title={i18n.t('Passkeys')} large tabIndex={-1}>
      <p className="mt-2 text-soft">
        {i18n.t('Sign in with your fingerprint, your face or the code of your device.')}
      </p>
      <LoadError of={[found]} fallback={i18n.t('Failed to load your passkeys')} className="mt-4" />
      {found.data && found.data.length > 0 && (
        <>
          <ul aria-label={i18n.t('Passkeys')} className="mt-4 divide-y divide-line border-line border-y">
            {found.data.map(passkey => (
              <PasskeyLine key={passkey.id} {...passkey} />
            ))}
          </ul>
          {passwords && (
            <p className="mt-4 text-soft text-sm">
              {i18n.t('When you change or reset your password, all passkeys end, too.')}
            </p>
          )}
        </>
      )}
      {canUse && <NewPasskey />}
      {passwords && found.data && found.data.length > 0 && !user?.without_password && <RemovePassword />}
    </TitledCard>
  )
}

/** Shown to people who have another way to sign in. */
function RemovePassword() {
  const { reload } = useProfileChange()
  const removal = useCallForm({
    schema: ProvePasswordBody,
    defaultValues: { password: '' },
    send: body => call('removePassword', { body }),
    onSuccess() {
      toast(i18n.t('Your password was removed.'), { type: 'success' })
      void reload()
    },
  })
  return (
    <details className="mt-6">
      <Summary>{i18n.t('Sign in without a password')}</Summary>
      <p className="mt-2 mb-4 text-soft">
        {i18n.t(
          'What isn’t there can’t be guessed or stolen. Should you lose your passkeys, an email lets you choose a new password.',
        )}
      </p>
      <Form of={removal} fallback={i18n.t('An error occurred')}>
        <PasswordField {...removal.field('password')} />
        <SubmitButton variant="danger" busyLabel={i18n.t('Saving…')}>
          {i18n.t('Remove my password')}
        </SubmitButton>
      </Form>
    </details>
  )
}

function NewPasskey() {
  const adding = useCallForm({
    schema: RenamePasskeyBody,
    defaultValues: { name: '' },
    async send({ name }) {
      const { options } = (await call('passkeyOptions')).data
      const response = await (await passkeys()).make(options)
      return call('addPasskey', { body: { name, response: response as never } })
    },
    onSuccess: () => adding.form.reset(),
    reload: passkeysQuery,
  })
  return (
    <Form
      className="mt-6"
      of={adding}
      fallback={i18n.t('No passkey was added. Perhaps this device has one already.')}
      done={i18n.t('You can sign in with this passkey now.')}
    >
      <NameField hint={i18n.t('Such as the name of this device.')} {...adding.field('name')} />
      <SubmitButton busyLabel={i18n.t('Follow your browser…')}>{i18n.t('Add passkey')}</SubmitButton>
    </Form>
  )
}

const NameField = (props: Omit<Parameters<typeof Field>[0], 'label'>) => (
  <Field label={i18n.t('Name')} maxLength={PASSKEY_NAME_MAX} autoComplete="off" {...props} />
)

function PasskeyLine({ id, name, createdAt, lastUsedAt }: Passkey) {
  const [isRenaming, setRenaming] = useState(false)
  const removal = useAction({
    send: () => call('removePasskey', { params: { passkeyId: id } }),
    onSuccess: () => toast(i18n.t('The passkey was removed.'), { type: 'success' }),
    failed: i18n.t('The passkey couldn’t be removed'),
    reload: passkeysQuery,
  })
  return (
    <Entry
      name={name}
      actions={
        <>
          <Button
            variant="quiet"
            size="small"
            aria-expanded={isRenaming}
            onClick={() => setRenaming(!isRenaming)}
          >
            <Trans id="Rename <0>{name}</0>" components={SCREEN_READER_ONLY} values={{ name }} />
          </Button>
          <AskButton
            label={<Trans id="Remove <0>{name}</0>" components={SCREEN_READER_ONLY} values={{ name }} />}
            title={i18n.t('Remove this passkey?')}
            confirmLabel={i18n.t('Remove')}
            danger
            onConfirm={removal.run}
          >
            {i18n.t(
              '“{name}” no longer signs you in. Your device may still offer it until you delete it there, too.',
              { name },
            )}
          </AskButton>
        </>
      }
      facts={[
        [i18n.t('Added|passkey'), day(createdAt)],
        [i18n.t('Last used|passkey'), lastUsedAt ? moment(lastUsedAt) : i18n.t('Never|used')],
      ]}
    >
      {isRenaming && <NewName id={id} name={name} onDone={() => setRenaming(false)} />}
    </Entry>
  )
}

function NewName({ id, name, onDone }: Pick<Passkey, 'id' | 'name'> & { onDone(): void }) {
  const renaming = useCallForm({
    schema: RenamePasskeyBody,
    defaultValues: { name },
    send: body => call('renamePasskey', { params: { passkeyId: id }, body }),
    onSuccess: onDone,
    reload: passkeysQuery,
  })
  return (
    <Form of={renaming} fallback={i18n.t('The passkey couldn’t be renamed')} className="mt-3">
      <NameField {...renaming.field('name')} />
      <SubmitButton size="small" busyLabel={i18n.t('Saving…')}>
        {i18n.t('Save')}
      </SubmitButton>
    </Form>
  )
}

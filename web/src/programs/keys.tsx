import { Trans } from '@lingui/react'
import { type ApiKey, CreateKeyBody, type KeyScope, type OAuthGrant } from '@voxscribe/contracts/http'
import { z } from 'zod'
import { i18n } from '../language/i18n.ts'
import { leftToRight } from '../person/phone/phone-number.ts'
import { call, queryOf } from '../session/client.ts'
import { AskButton } from '../ui/action/ask-button.tsx'
import { SCREEN_READER_ONLY, TextLink } from '../ui/action/button.tsx'
import { Badge } from '../ui/feedback/badge.tsx'
import { toast } from '../ui/feedback/toast.ts'
import { useAction } from '../ui/feedback/use-action.ts'
import { day, moment } from '../ui/figures.ts'
import { CheckboxGroup } from '../ui/form/checkbox.tsx'
import { Field, Select } from '../ui/form/field.tsx'
import { Form, SubmitButton, useCallForm } from '../ui/form/form.tsx'
import { Secret, useSecret } from '../ui/form/secret.tsx'
import { TitledCard } from '../ui/layout/card.tsx'
import { Entry } from '../ui/layout/facts.tsx'

/** Permissions of a program, by the scope of its key or connection. */
export const SCOPES: Record<KeyScope, [name: string, opens: string]> = {
  read: [/*i18n*/ 'Read', /*i18n*/ 'It can see your notes, their audio and your profile.'],
  write: [
    /*i18n*/ 'Write',
    /*i18n*/ 'It can send files, and correct, delete and transcribe notes again. That may use minutes.',
  ],
}

/** Badges for the kind of program and its scopes. */
const Marks = ({ kind, scopes }: { kind: string; scopes: KeyScope[] }) => (
  <>
    <Badge>{kind}</Badge>
    {scopes.map(scope => (
      <Badge key={scope}>{i18n.t(SCOPES[scope][0])}</Badge>
    ))}
  </>
)

export const keysQuery = queryOf('keys', data => data.keys)

const DAY_MS = 86_400_000
/** `days` until the key expires; empty if it doesn't. */
const KeyValues = CreateKeyBody.omit({ expiresAt: true }).extend({ days: z.string() })

export function NewKey() {
  const [secret, show] = useSecret('key')
  const creation = useCallForm({
    schema: KeyValues,
    defaultValues: { name: '', scopes: [], days: '' },
    send({ days, ...body }) {
      const expiresAt = days ? new Date(Date.now() + Number(days) * DAY_MS).toISOString() : undefined
      return call('createKey', { body: { ...body, expiresAt } })
    },
    onSuccess({ data }) {
      show(data.secret)
      creation.form.reset()
    },
    reload: keysQuery,
  })
  const { field } = creation
  return (
    <TitledCard title={i18n.t('New key')} large className="mt-6 *:mt-4 *:first:mt-0">
      <p className="text-soft">
        <Trans
          id="With a key, a script, n8n, Home Assistant or any program that speaks OpenAI’s transcription API can send recordings and fetch the text. <0>How to use a key</0>"
          components={{ 0: <TextLink to="/docs/connect#keys" /> }}
        />
      </p>
      <Form of={creation} fallback={i18n.t('Failed to create the key')}>
        {secret && (
          <Secret secret={secret} copyLabel={i18n.t('Copy key')}>
            {i18n.t('Your key is ready. Copy it now and keep it safe: it is shown only this once.')}
          </Secret>
        )}
        <Field
          label={i18n.t('Name')}
          hint={i18n.t('What the key is for, such as the name of the program.')}
          maxLength={100}
          autoComplete="off"
          {...field('name')}
        />
        <CheckboxGroup
          legend={i18n.t('What may it do?')}
          options={Object.entries(SCOPES).map(([id, [name, opens]]) => ({
            id,
            label: i18n.t(name),
            hint: i18n.t(opens),
          }))}
          {...field('scopes')}
        />
        <Select
          label={i18n.t('Expires')}
          options={[
            { id: '', label: i18n.t('Never|expires') },
            ...[30, 90].map(days => ({
              id: String(days),
              label: i18n.t('{days, plural, one {after # day} other {after # days}}|key', { days }),
            })),
            {
              id: '365',
              label: i18n.t('{years, plural, one {after # year} other {after # years}}|key', { years: 1 }),
            },
          ]}
          {...field('days')}
        />
        <SubmitButton busyLabel={i18n.t('Creating…')}>{i18n.t('Create key')}</SubmitButton>
      </Form>
    </TitledCard>
  )
}

export function Key({ id, name, scopes, prefix, createdAt, expiresAt, lastUsedAt, lastAddress }: ApiKey) {
  const revocation = useAction({
    send: () => call('deleteKey', { params: { id } }),
    onSuccess: () => toast(i18n.t('The key was revoked.'), { type: 'success' }),
    failed: i18n.t('The key couldn’t be revoked'),
    reload: keysQuery,
  })
  const isOver = expiresAt !== null && Date.parse(expiresAt) <= Date.now()
  const used = lastUsedAt && moment(lastUsedAt)
  return (
    <Entry
      name={name}
      badges={
        <>
          <Marks kind={i18n.t('Key|program')} scopes={scopes} />
          {isOver && <Badge tone="bad">{i18n.t('Expired')}</Badge>}
        </>
      }
      actions={
        <AskButton
          label={<Trans id="Revoke <0>{name}</0>" components={SCREEN_READER_ONLY} values={{ name }} />}
          title={i18n.t('Revoke this key?')}
          confirmLabel={i18n.t('Revoke')}
          danger
          onConfirm={revocation.run}
        >
          {i18n.t('Programs that use “{name}” can no longer read or send anything, at once and for good.', {
            name,
          })}
        </AskButton>
      }
      facts={[
        [i18n.t('Begins with'), <code dir="ltr" translate="no" key="prefix">{`${prefix}…`}</code>],
        [i18n.t('Created|key'), day(createdAt)],
        [i18n.t('Expires'), expiresAt ? day(expiresAt) : i18n.t('Never|expires')],
        [
          i18n.t('Last used|key'),
          used && lastAddress
            ? i18n.t('{time} from {address}', { time: used, address: leftToRight(lastAddress) })
            : (used ?? i18n.t('Never|used')),
        ],
      ]}
    />
  )
}

/** The assistants to which the person has given access. */
export const grantsQuery = queryOf('grants', data => data.grants)

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
      badges={<Marks kind={i18n.t('Assistant')} scopes={scopes} />}
      actions={
        <AskButton
          label={<Trans id="Disconnect <0>{name}</0>" components={SCREEN_READER_ONLY} values={{ name }} />}
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
          <bdi key="host" dir="ltr" translate="no">
            {host}
          </bdi>,
        ],
        [i18n.t('Connected'), day(createdAt)],
        [i18n.t('Last used|assistant'), lastUsedAt ? moment(lastUsedAt) : i18n.t('Never|used')],
      ]}
    />
  )
}

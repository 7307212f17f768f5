import { Trans } from '@lingui/react'
import { useQuery } from '@tanstack/react-query'
import {
  ChangePasswordBody,
  type Invitation,
  InviteBody,
  type SignedInDevice,
} from '@voxscribe/contracts/http'
import { INVITATION_DAYS, SIGNUP_PASSWORD_MIN } from '@voxscribe/contracts/limits'
import { z } from 'zod'
import { useSignInMethods } from '../api/installation.tsx'
import { i18n } from '../language/i18n.ts'
import { call, queryOf } from '../session/client.ts'
import { replaceTokens } from '../session/renewal.ts'
import { useSession } from '../session/session.ts'
import { useProfileChange } from '../session/use-profile.ts'
import { Button, SCREEN_READER_ONLY, TextLink } from '../ui/action/button.tsx'
import { Badge } from '../ui/feedback/badge.tsx'
import { LoadError, Skeletons } from '../ui/feedback/loading.tsx'
import { toast } from '../ui/feedback/toast.ts'
import { useAction } from '../ui/feedback/use-action.ts'
import { day, moment } from '../ui/figures.ts'
import { EmailField, PasswordField } from '../ui/form/field.tsx'
import { Form, SubmitButton, useCallForm } from '../ui/form/form.tsx'
import { TitledCard } from '../ui/layout/card.tsx'
import { Entries, Entry } from '../ui/layout/facts.tsx'
import { enteredTwice, NewPasswordFields } from './new-password.tsx'

const PasswordValues = ChangePasswordBody.extend({ confirm: z.string() }).refine(
  ...enteredTwice('newPassword'),
)
const EMPTY = { password: '', newPassword: '', confirm: '' }

export const PasswordCard = () => (useSession().user?.without_password ? <NoPassword /> : <ChangePassword />)

const NoPassword = () => (
  <TitledCard title={i18n.t('Password')} large>
    <p className="mt-2 text-soft">
      <Trans
        id="You have no password. If you want one, or lose the other ways to sign in, <0>choose a password</0> by email."
        components={{ 0: <TextLink to="/forgot-password" /> }}
      />
    </p>
  </TitledCard>
)

function ChangePassword() {
  const { user } = useSession()
  const { reload } = useProfileChange()
  const change = useCallForm({
    schema: PasswordValues,
    defaultValues: EMPTY,
    async send({ password, newPassword }) {
      await replaceTokens(() => call('changePassword', { body: { password, newPassword } }))
      void reload()
    },
    unanswered: i18n.t(
      'No answer came, so your password may be changed already. If you are signed out now, sign in with the new one.',
    ),
    onSuccess: () => change.form.reset(EMPTY),
    reload: sessionsQuery,
  })
  return (
    <TitledCard title={i18n.t('Password')} large>
      <p className="mt-2 mb-6 text-soft">
        {i18n.t(
          'A new password signs you out on all other devices, ends your API keys and shared links, turns your hooks off, and changes your link code.',
        )}
      </p>
      <Form
        of={change}
        fallback={i18n.t('An error occurred')}
        done={i18n.t('Your password has been changed.')}
      >
        {/* Without the address, password managers would keep the new password as a second entry. */}
        <input type="email" autoComplete="username" value={user?.email ?? ''} readOnly hidden />
        <PasswordField label={i18n.t('Current password')} {...change.field('password')} />
        <NewPasswordFields min={SIGNUP_PASSWORD_MIN} field={change.field} />
        <SubmitButton busyLabel={i18n.t('Saving…')}>{i18n.t('Change password')}</SubmitButton>
      </Form>
    </TitledCard>
  )
}

const sessionsQuery = queryOf('sessions', data => data.sessions)

export function SessionsCard() {
  const sessions = useQuery(sessionsQuery)
  const { reload } = useProfileChange()
  const { user } = useSession()
  const hasPassword = useSignInMethods().passwords && !user?.without_password
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

/** Ends sessions and reloads the list. */
const useEnding = (send: () => Promise<unknown>) =>
  useAction({
    send,
    onSuccess: () => toast(i18n.t('Signed out there.'), { type: 'success' }),
    failed: i18n.t('The device couldn’t be signed out'),
    reload: sessionsQuery,
  })

/** Translates the server's English name; names of browsers and systems are the same in every language. */
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
      badges={current && <Badge tone="good">{i18n.t('This device')}</Badge>}
      actions={
        !current && (
          <Button variant="quiet" size="small" busy={ending.isPending} onClick={ending.run}>
            <Trans id="Sign out <0>{name}</0>" components={SCREEN_READER_ONLY} values={{ name }} />
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

const invitationsQuery = queryOf('invitations', data => data.invitations)

/** Invites people by mail, on installations whose accounts need an invitation. */
export function InvitationsCard() {
  const invitations = useQuery(invitationsQuery)
  const inviting = useCallForm({
    schema: InviteBody,
    defaultValues: { email: '' },
    send: body => call('invite', { body }),
    onSuccess: () => inviting.form.reset(),
    reload: invitationsQuery,
  })
  const found = invitations.data ?? []
  return (
    <TitledCard title={i18n.t('Invitations')} large>
      <p className="mt-2 mb-6 text-soft">
        {i18n.t(
          '{days, plural, one {Accounts here need an invitation. The link in its email works once, for # day, and only for this address.} other {Accounts here need an invitation. The link in its email works once, for # days, and only for this address.}}',
          { days: INVITATION_DAYS },
        )}
      </p>
      <Form
        of={inviting}
        fallback={i18n.t('The invitation couldn’t be sent')}
        done={i18n.t('The invitation is on its way.')}
      >
        <EmailField autoComplete="off" {...inviting.field('email')} />
        <SubmitButton busyLabel={i18n.t('Sending…')}>{i18n.t('Invite')}</SubmitButton>
      </Form>
      <LoadError of={[invitations]} fallback={i18n.t('Failed to load your invitations')} className="mt-6" />
      {found.length > 0 && (
        <Entries name={i18n.t('Invitations')}>
          {found.map(invitation => (
            <InvitedAddress key={invitation.id} {...invitation} />
          ))}
        </Entries>
      )}
    </TitledCard>
  )
}

function InvitedAddress({ id, email, expiresAt }: Invitation) {
  const removing = useAction({
    send: () => call('deleteInvitation', { params: { id } }),
    failed: i18n.t('The invitation couldn’t be removed'),
    reload: invitationsQuery,
  })
  return (
    <li className="flex flex-wrap items-center gap-2 py-3">
      <div className="wrap-anywhere min-w-0">
        <bdi translate="no" className="font-semibold">
          {email}
        </bdi>
        <p className="text-soft text-sm">{i18n.t('Until {date}', { date: day(expiresAt) })}</p>
      </div>
      <Button
        variant="quiet"
        size="small"
        className="ms-auto"
        busy={removing.isPending}
        onClick={removing.run}
      >
        <Trans id="Remove <0>{name}</0>" components={SCREEN_READER_ONLY} values={{ name: email }} />
      </Button>
    </li>
  )
}

import { Trans } from '@lingui/react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type Invitation, InviteBody } from '@voxscribe/contracts/http'
import { INVITATION_DAYS } from '@voxscribe/contracts/limits'
import { i18n } from '../language/i18n.ts'
import { call } from '../session/client.ts'
import { Button, HEARD } from '../ui/action/button.tsx'
import { LoadError } from '../ui/feedback/loading.tsx'
import { useAction } from '../ui/feedback/use-action.ts'
import { day } from '../ui/figures.ts'
import { EmailField } from '../ui/form/field.tsx'
import { Form, FormMessage, SubmitButton, useCallForm } from '../ui/form/form.tsx'
import { TitledCard } from '../ui/layout/card.tsx'
import { Entries } from '../ui/layout/facts.tsx'

const INVITATIONS = { queryKey: ['invitations'] }

/** Invites by mail; for installations whose accounts need an invitation. */
export function InvitationsCard() {
  const queries = useQueryClient()
  const invitations = useQuery({
    ...INVITATIONS,
    queryFn: async ({ signal }) => (await call('invitations', { signal })).data.invitations,
  })
  const inviting = useCallForm({
    schema: InviteBody,
    defaultValues: { email: '' },
    send: body => call('invite', { body }),
    onSuccess() {
      inviting.form.reset()
      void queries.invalidateQueries(INVITATIONS)
    },
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
      <Form of={inviting} fallback={i18n.t('The invitation couldn’t be sent')}>
        {inviting.call.isSuccess && (
          <FormMessage of={inviting.call.submittedAt} tone="success">
            {i18n.t('The invitation is on its way.')}
          </FormMessage>
        )}
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
    reload: INVITATIONS,
  })
  return (
    <li className="flex flex-wrap items-center gap-2 py-3">
      <div className="wrap-anywhere min-w-0">
        <bdi className="font-semibold">{email}</bdi>
        <p className="text-soft text-sm">{i18n.t('Until {date}', { date: day(expiresAt) })}</p>
      </div>
      <Button
        variant="quiet"
        size="small"
        className="ms-auto"
        busy={removing.isPending}
        onClick={removing.run}
      >
        <Trans id="Remove <0>{name}</0>" components={HEARD} values={{ name: email }} />
      </Button>
    </li>
  )
}

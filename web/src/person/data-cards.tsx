import { Trans } from '@lingui/react'
import { useMutation } from '@tanstack/react-query'
import { EraseAccountBody, ProvePasswordBody, type User } from '@voxscribe/contracts/http'
import { useEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { z } from 'zod'
import { useConfig } from '../api/config.ts'
import { useSignInMethods } from '../api/installation.tsx'
import { i18n } from '../language/i18n.ts'
import { call, download } from '../session/client.ts'
import { useSession } from '../session/session.ts'
import { useProfile, useProfileChange } from '../session/use-profile.ts'
import { Button, TextLink } from '../ui/action/button.tsx'
import { Dialog } from '../ui/action/dialog.tsx'
import { saveFile } from '../ui/action/save-file.ts'
import { Banner } from '../ui/feedback/banner.tsx'
import { LoadError, Skeletons } from '../ui/feedback/loading.tsx'
import { Bar } from '../ui/feedback/meter.tsx'
import { messageOf, toast } from '../ui/feedback/toast.ts'
import { fileSize } from '../ui/figures.ts'
import { CheckboxWithHint } from '../ui/form/checkbox.tsx'
import { PasswordField, Select } from '../ui/form/field.tsx'
import { Form, SubmitButton, useCallForm } from '../ui/form/form.tsx'
import { TitledCard } from '../ui/layout/card.tsx'

/** Sets how long recordings are kept; texts stay until they are deleted. */
export function AudioCard() {
  const profile = useProfile()
  const config = useConfig()
  return (
    <TitledCard title={i18n.t('How long we keep your audio')} large>
      <p className="mt-2 text-soft">
        {i18n.t('Your texts stay until you delete them. Their recordings go sooner, as you choose here.')}
      </p>
      <LoadError of={[profile, config]} fallback={i18n.t('Failed to load profile data')} className="mt-4" />
      {(profile.isPending || config.isPending) && (
        <Skeletons className="mt-6 gap-4" heights={['h-16', 'h-16']} />
      )}
      {profile.data && config.data && (
        <AudioForm user={profile.data.user} longest={config.data.retentionDays} />
      )}
    </TitledCard>
  )
}

const AudioValues = z.object({ keep: z.boolean(), days: z.string(), existing: z.boolean() })
const valuesOf = ({ keep_audio, retention_days }: User) => ({
  keep: keep_audio,
  days: String(retention_days),
  existing: false,
})

const DAYS = [1, 3, 7, 14, 30]

/** `longest`: days for which this installation keeps audio. */
function AudioForm({ user, longest }: { user: User; longest: number }) {
  const profile = useProfileChange()
  const choice = useCallForm({
    schema: AudioValues,
    // The choice may be changed elsewhere, but fields changed here are kept.
    values: valuesOf(user),
    resetOptions: { keepDirtyValues: true },
    async send({ keep, days, existing }) {
      const body = {
        keep_audio: keep,
        ...(Number(days) !== user.retention_days && { retention_days: Number(days) }),
        ...(existing && { apply_to_existing: true }),
      }
      const { data } = await call('updateProfile', { body })
      await profile.replace(data.user)
      form.reset(valuesOf(data.user), { keepDirtyValues: false })
    },
    needsConfirmation: ({ existing }) => existing,
  })
  const { form, field } = choice
  const days = [...new Set([...DAYS.filter(count => count < longest), user.retention_days, longest])]
  return (
    <>
      <Form
        className="mt-6"
        of={choice}
        fallback={i18n.t('Failed to update profile')}
        done={i18n.t('Your choice has been saved.')}
      >
        <CheckboxWithHint
          label={i18n.t('Keep recordings after their text is there')}
          hint={i18n.t(
            'Without its recording, a text can still be read, searched and corrected. You can’t listen to it or transcribe it again.',
          )}
          {...form.register('keep')}
        />
        <Select
          label={i18n.t('Recordings are deleted')}
          hint={i18n.t(
            'A note without a text always keeps its recording for this time, so that you can try it again.',
          )}
          options={days
            .sort((one, other) => one - other)
            .map(count => ({
              id: String(count),
              label: i18n.t('{days, plural, one {after # day} other {after # days}}|recordings', {
                days: count,
              }),
            }))}
          {...field('days')}
        />
        <CheckboxWithHint
          label={i18n.t('Also for the recordings that are already here')}
          hint={i18n.t('None of them is kept longer than before.')}
          {...form.register('existing')}
        />
        <SubmitButton busyLabel={i18n.t('Saving…')}>{i18n.t('Save')}</SubmitButton>
      </Form>
      {choice.question && (
        <Dialog
          {...choice.question}
          title={i18n.t('Delete recordings that are already here?')}
          confirmLabel={i18n.t('Delete them')}
          danger
        >
          {form.getValues('keep')
            ? i18n.t('Recordings that are older than you chose are deleted now and can’t be brought back.')
            : i18n.t('All recordings that have a text are deleted now and can’t be brought back.')}
        </Dialog>
      )}
    </>
  )
}

/** Downloads the whole account as a ZIP. Its size is an estimate; leaving the page cancels it. */
export function ExportCard() {
  const [progress, setProgress] = useState({ received: 0, expected: Number.NaN })
  const leaving = useRef<AbortController>(null)
  useEffect(() => () => leaving.current?.abort(), [])
  const exporting = useMutation({
    async mutationFn() {
      const abort = new AbortController()
      leaving.current = abort
      setProgress({ received: 0, expected: Number.NaN })
      const onBytes = (received: number, expected: number) => setProgress({ received, expected })
      const { content, fileName } = await download('exportAccount', { signal: abort.signal, onBytes })
      saveFile(content, fileName ?? 'voxscribe.zip')
    },
  })
  function cancel() {
    leaving.current?.abort()
    exporting.reset()
  }
  return (
    <TitledCard title={i18n.t('Download everything')} large>
      <p className="mt-2 text-soft">
        {i18n.t(
          'You get one ZIP file with your profile, all your texts, the recordings that are still here, your minutes and your payments. A file in it explains the rest.',
        )}
      </p>
      {exporting.isPending && <Progress {...progress} />}
      {exporting.isError && (
        <Banner className="mt-4">
          {messageOf(exporting.error, i18n.t('The file couldn’t be downloaded'))}
        </Banner>
      )}
      {exporting.isSuccess && (
        <Banner tone="success" className="mt-4">
          {i18n.t('Your download is complete.')}
        </Banner>
      )}
      <div className="mt-6 flex flex-wrap gap-3">
        <Button
          busy={exporting.isPending}
          busyLabel={i18n.t('Downloading…')}
          onClick={() => exporting.mutate()}
        >
          {i18n.t('Download everything')}
        </Button>
        {exporting.isPending && (
          <Button variant="secondary" onClick={cancel}>
            {i18n.t('Cancel|question')}
          </Button>
        )}
      </div>
    </TitledCard>
  )
}

function Progress({ received, expected }: { received: number; expected: number }) {
  // The file may be larger than the estimate.
  const share = Number.isNaN(expected) ? undefined : Math.min(0.99, received / expected)
  const [has, all] = [fileSize(received), fileSize(Math.max(received, expected))]
  return (
    <div className="mt-4 grid gap-1.5">
      <Bar className="w-full" aria-label={i18n.t('Download everything')} value={share} />
      <p className="text-sm text-soft tabular-nums">
        {share === undefined ? has : i18n.t('{has} of about {all}', { has, all })}
      </p>
    </div>
  )
}

const FAREWELL_MS = 15_000

/** Deletes the account, after the password and a confirmation. */
export function DeleteAccountCard() {
  const { signOut, user } = useSession()
  const navigate = useNavigate()
  const { passwords } = useSignInMethods()
  const erasure = useCallForm({
    schema: passwords ? ProvePasswordBody : EraseAccountBody,
    defaultValues: passwords ? { password: '' } : {},
    send: body => call('eraseAccount', { body }),
    needsConfirmation: () => true,
    unanswered: i18n.t(
      'No answer came, so your account may be deleted already. If you are signed out now, it is.',
    ),
    async onSuccess() {
      await signOut()
      navigate('/', { replace: true, state: null })
      toast(i18n.t('Your account has been deleted. Thank you for using Voxscribe.'), {
        type: 'success',
        duration: FAREWELL_MS,
      })
    },
  })
  return (
    <TitledCard title={i18n.t('Delete account')} large>
      <p className="mt-2 text-soft">
        {i18n.t(
          'Everything goes: your texts and recordings, your numbers and chats, API keys, hooks and minutes. A paid plan ends at once; only its invoices stay with Stripe, as the law asks.',
        )}
      </p>
      <p className="mt-2 text-soft">
        {i18n.t('Download your data first if you may want it later: nobody can bring it back.')}
      </p>
      {passwords && user?.without_password ? (
        <p className="mt-6">
          <Trans
            id="First <0>choose a password</0>, which proves that it’s you."
            components={{ 0: <TextLink to="/forgot-password" /> }}
          />
        </p>
      ) : (
        <Form of={erasure} fallback={i18n.t('Failed to delete your account')} className="mt-6">
          {passwords && <PasswordField {...erasure.field('password')} />}
          <SubmitButton variant="danger" busyLabel={i18n.t('Deleting…')}>
            {i18n.t('Delete my account')}
          </SubmitButton>
        </Form>
      )}
      {erasure.question && (
        <Dialog
          {...erasure.question}
          title={i18n.t('Delete your account for good?')}
          confirmLabel={i18n.t('Delete everything')}
          closeLabel={i18n.t('Keep my account')}
          danger
        >
          {i18n.t(
            'You are signed out everywhere, and all your texts and recordings are deleted within an hour. Your number and email address are free for a new account at once.',
          )}
        </Dialog>
      )}
    </TitledCard>
  )
}

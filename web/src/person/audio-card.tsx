import type { User } from '@voxscribe/contracts/http'
import { z } from 'zod'
import { useConfig } from '../api/config.ts'
import { i18n } from '../language/i18n.ts'
import { call } from '../session/client.ts'
import { useProfile, useProfileChange } from '../session/use-profile.ts'
import { Dialog } from '../ui/action/dialog.tsx'
import { LoadError, Skeletons } from '../ui/feedback/loading.tsx'
import { Select } from '../ui/form/field.tsx'
import { Form, FormMessage, SubmitButton, useCallForm } from '../ui/form/form.tsx'
import { Checkbox } from '../ui/form/tick.tsx'
import { TitledCard } from '../ui/layout/card.tsx'

/** How long recordings are kept; texts stay until they are deleted. */
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
    // The choice may have been changed elsewhere; what is touched here stays.
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
    asksFirst: ({ existing }) => existing,
  })
  const { form, field, call: saving } = choice
  const days = [...new Set([...DAYS.filter(count => count < longest), user.retention_days, longest])]
  return (
    <div className="mt-6">
      <Form of={choice} fallback={i18n.t('Failed to update profile')}>
        {saving.isSuccess && (
          <FormMessage of={saving.submittedAt} tone="success">
            {i18n.t('Your choice has been saved.')}
          </FormMessage>
        )}
        <Checkbox
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
        <Checkbox
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
    </div>
  )
}

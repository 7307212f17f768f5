import { useMutation } from '@tanstack/react-query'
import type { Conversation } from '@voxscribe/contracts/http'
import { SHARE_DAYS } from '@voxscribe/contracts/limits'
import { i18n } from '../language/i18n.ts'
import { ShareWithApps } from '../note/share-with-apps.tsx'
import { call } from '../session/client.ts'
import { Button } from '../ui/action/button.tsx'
import { CopyButton } from '../ui/feedback/copy-button.tsx'
import { toast, toastError } from '../ui/feedback/toast.ts'
import { moment } from '../ui/figures.ts'
import { Select } from '../ui/form/field.tsx'
import { Row } from '../ui/layout/details.tsx'

type Days = (typeof SHARE_DAYS)[number]
const failed = (error: Error) => toastError(error, i18n.t('The link couldn’t be changed'))

/** Makes and ends the link by which anyone reads this chat. */
export function ShareRow({ id, name }: Pick<Conversation, 'id' | 'name'>) {
  const make = useMutation({
    mutationFn: async (days: Days) =>
      (await call('shareConversation', { params: { id }, body: { days } })).data,
    onError: failed,
  })
  const end = useMutation({
    mutationFn: () => call('endConversationShare', { params: { id } }),
    onSuccess() {
      make.reset()
      toast(i18n.t('No link to this chat works now'), { type: 'success' })
    },
    onError: failed,
  })
  return (
    <Row name={i18n.t('Share a link')}>
      <p>
        {i18n.t(
          'Anyone who has the link can read this chat, without its recordings, and needs no account. A new link ends the one before.',
        )}{' '}
        {i18n.t('These are other people’s words: whoever shares them answers for it.')}
      </p>
      <form
        className="mt-3 flex flex-wrap items-end gap-2"
        onSubmit={event => {
          event.preventDefault()
          make.mutate(Number(new FormData(event.currentTarget).get('days')) as Days)
        }}
      >
        <Select
          name="days"
          label={i18n.t('The link works for')}
          defaultValue="7"
          options={SHARE_DAYS.map(days => ({
            id: String(days),
            label: i18n.t('{days, plural, one {# day} other {# days}}', { days }),
          }))}
        />
        <Button type="submit" variant="secondary" busy={make.isPending}>
          {i18n.t('Make a link')}
        </Button>
        <Button variant="quiet" busy={end.isPending} onClick={() => end.mutate()}>
          {i18n.t('Turn off the link')}
        </Button>
      </form>
      {make.data && (
        <div role="status" className="mt-3 grid justify-items-start gap-2">
          <code dir="ltr" className="select-all break-all rounded-md bg-sunken px-2 py-1 text-ink">
            {make.data.url}
          </code>
          <p>{i18n.t('The text is shared until {time}.', { time: moment(make.data.expiresAt) })}</p>
          <div className="flex flex-wrap gap-2">
            <CopyButton text={make.data.url} label={i18n.t('Copy link')} />
            <ShareWithApps title={name} url={make.data.url} />
          </div>
        </div>
      )}
    </Row>
  )
}

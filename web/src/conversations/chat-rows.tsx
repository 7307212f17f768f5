import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { BodyFor } from '@voxscribe/contracts/calls'
import type { Conversation } from '@voxscribe/contracts/http'
import { TITLE_MAX } from '@voxscribe/contracts/limits'
import { useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { i18n } from '../language/i18n.ts'
import { type Days, ShareDays, ShareWithApps } from '../note/exports.tsx'
import { call } from '../session/client.ts'
import { AskButton } from '../ui/action/ask-button.tsx'
import { Button } from '../ui/action/button.tsx'
import { Copyable } from '../ui/feedback/copy-button.tsx'
import { toast, toastError } from '../ui/feedback/toast.ts'
import { useAction } from '../ui/feedback/use-action.ts'
import { moment } from '../ui/figures.ts'
import { Checkbox } from '../ui/form/checkbox.tsx'
import { Field } from '../ui/form/field.tsx'
import { Row } from '../ui/layout/details.tsx'

/** Changes the chat. If someone else changed it first, the change is refused and the page shows the newest version. */
export function useChange({ id }: Conversation) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: async (body: BodyFor<'changeConversation'>) =>
      (await call('changeConversation', { params: { id }, body })).data.conversation,
    onSuccess: changed => queries.setQueryData(['conversation', id], changed),
    onError: error => {
      toastError(error, i18n.t('Your change couldn’t be saved'))
      void queries.invalidateQueries({ queryKey: ['conversation', id], exact: true })
    },
  })
}

/** Renames or deletes the chat. */
export function ChatRow({ conversation }: { conversation: Conversation }) {
  const { id, name, notes, version } = conversation
  const change = useChange(conversation)
  const navigate = useNavigate()
  const [takesNotes, setTakesNotes] = useState(true)
  const hasNotes = notes.some(({ transcriptionId }) => transcriptionId)
  const remove = useAction({
    send: () =>
      call('deleteConversation', { params: { id }, query: { notes: takesNotes ? 'true' : 'false' } }),
    onSuccess: () => navigate('/conversations', { replace: true }),
    failed: i18n.t('This chat couldn’t be deleted'),
    reload: { queryKey: ['conversations'] },
  })
  return (
    <Row name={i18n.t('Rename or delete')}>
      <form
        key={name}
        className="flex flex-wrap items-end gap-3"
        onSubmit={event => {
          event.preventDefault()
          const typed = String(new FormData(event.currentTarget).get('name')).trim()
          if (typed && typed !== name) change.mutate({ name: typed, version })
        }}
      >
        <Field
          name="name"
          label={i18n.t('Name of the chat')}
          defaultValue={name}
          maxLength={TITLE_MAX}
          dir="auto"
        />
        <Button type="submit" variant="secondary" busy={change.isPending}>
          {i18n.t('Rename')}
        </Button>
      </form>
      <div className="mt-3">
        <AskButton
          label={i18n.t('Delete this chat')}
          variant="secondary"
          title={i18n.t('Delete “{name}”?', { name })}
          confirmLabel={i18n.t('Delete')}
          danger
          onConfirm={remove.run}
        >
          <p>{i18n.t('Its text is deleted for good, and its link ends.')}</p>
          {hasNotes && (
            <Checkbox
              className="text-ink"
              checked={takesNotes}
              onChange={event => setTakesNotes(event.target.checked)}
            >
              {i18n.t('Delete its voice notes, too')}
            </Checkbox>
          )}
        </AskButton>
      </div>
    </Row>
  )
}

const failed = (error: Error) => toastError(error, i18n.t('The link couldn’t be changed'))

/** Creates and removes the link by which anyone can read this chat. */
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
        <ShareDays name="days" defaultValue="7" />
        <Button type="submit" variant="secondary" busy={make.isPending}>
          {i18n.t('Make a link')}
        </Button>
        <Button variant="quiet" busy={end.isPending} onClick={() => end.mutate()}>
          {i18n.t('Turn off the link')}
        </Button>
      </form>
      {make.data && (
        <div role="status" className="mt-3 grid justify-items-start gap-2">
          <Copyable text={make.data.url} label={i18n.t('Copy link')}>
            <ShareWithApps title={name} url={make.data.url} />
          </Copyable>
          <p>{i18n.t('The text is shared until {time}.', { time: moment(make.data.expiresAt) })}</p>
        </div>
      )}
    </Row>
  )
}

import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { BodyFor } from '@voxscribe/contracts/calls'
import type { Conversation } from '@voxscribe/contracts/http'
import { TITLE_MAX } from '@voxscribe/contracts/limits'
import { useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { i18n } from '../language/i18n.ts'
import { call } from '../session/client.ts'
import { AskButton } from '../ui/action/ask-button.tsx'
import { Button } from '../ui/action/button.tsx'
import { toastError } from '../ui/feedback/toast.ts'
import { useAction } from '../ui/feedback/use-action.ts'
import { Field } from '../ui/form/field.tsx'
import { Tick } from '../ui/form/tick.tsx'
import { Row } from '../ui/layout/details.tsx'

/** A change of the chat, which another one meanwhile refuses: the page then shows the newest. */
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

/** Renames the chat, or deletes it. */
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
            <Tick
              className="text-ink"
              checked={takesNotes}
              onChange={event => setTakesNotes(event.target.checked)}
            >
              {i18n.t('Delete its voice notes, too')}
            </Tick>
          )}
        </AskButton>
      </div>
    </Row>
  )
}

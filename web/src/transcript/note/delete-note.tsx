import { useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../session/client.ts'
import { AskButton } from '../../ui/ask-button.tsx'
import { messageOf } from '../../ui/error-message.ts'
import { toast } from '../../ui/toast.ts'

interface DeleteNoteProps {
  id: string
  name: string
  processing: boolean
  /** After it was deleted. */
  onGone(): void
}

export function DeleteNote({ id, name, processing, onGone }: DeleteNoteProps) {
  const queries = useQueryClient()
  const deletion = useMutation({
    mutationFn: () => call('deleteTranscription', { params: { id } }),
    onSuccess({ message }) {
      queries.removeQueries({ queryKey: ['transcription', id] })
      // Whether it was charged is in the message.
      toast(message, { type: 'success' })
    },
    onError: error => toast(messageOf(error, 'Failed to delete the transcription'), { type: 'error' }),
    onSettled: async (_, error) => {
      await queries.invalidateQueries({ queryKey: ['transcriptions'] })
      if (!error) onGone()
    },
  })
  return (
    <AskButton
      label="Delete"
      title="Delete this transcription?"
      confirmLabel="Yes, delete it"
      closeLabel="Keep it"
      danger
      onConfirm={() => deletion.mutateAsync().catch(() => {})}
    >
      The text and audio of <span className="break-words">{name}</span> will be deleted for good.{' '}
      {processing ? 'It won’t be transcribed.' : 'You don’t get its minutes back.'}
    </AskButton>
  )
}

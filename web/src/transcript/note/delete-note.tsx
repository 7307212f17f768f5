import { AskButton } from '../../ui/ask-button.tsx'
import { messageOf } from '../../ui/error-message.ts'
import { toast } from '../../ui/toast.ts'
import { useDeletion } from './changes.ts'

interface DeleteNoteProps {
  id: string
  name: string
  processing: boolean
  /** After it was deleted. */
  onGone(): void
}

export function DeleteNote({ id, name, processing, onGone }: DeleteNoteProps) {
  const deletion = useDeletion()
  const remove = async () => {
    try {
      // Whether it was charged is in the message.
      toast((await deletion.mutateAsync(id)).message, { type: 'success' })
      onGone()
    } catch (error) {
      toast(messageOf(error, 'Failed to delete the transcription'), { type: 'error' })
    }
  }
  return (
    <AskButton
      label="Delete"
      title="Delete this transcription?"
      confirmLabel="Yes, delete it"
      closeLabel="Keep it"
      danger
      onConfirm={remove}
    >
      The text and audio of <span className="break-words">{name}</span> will be deleted for good.{' '}
      {processing ? 'It won’t be transcribed.' : 'You don’t get its minutes back.'}
    </AskButton>
  )
}

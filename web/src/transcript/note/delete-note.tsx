import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
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
  const [asking, setAsking] = useState(false)
  const deletion = useDeletion()
  const remove = async () => {
    try {
      // Whether it was charged is in the message.
      toast((await deletion.mutateAsync(id)).message, { type: 'success' })
      onGone()
    } catch (error) {
      toast(messageOf(error, 'Failed to delete the transcription'), { type: 'error' })
    }
    setAsking(false)
  }
  return (
    <>
      <Button variant="quiet" size="small" onClick={() => setAsking(true)}>
        Delete
      </Button>
      <Dialog
        open={asking}
        title="Delete this transcription?"
        onClose={() => setAsking(false)}
        onConfirm={remove}
        confirmLabel="Yes, delete it"
        closeLabel="Keep it"
        busy={deletion.isPending}
        danger
      >
        The text and audio of <span className="break-words">{name}</span> will be deleted for good.{' '}
        {processing ? 'It won’t be transcribed.' : 'You don’t get its minutes back.'}
      </Dialog>
    </>
  )
}

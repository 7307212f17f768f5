import type { Transcription } from '@voxscribe/contracts/http'
import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { messageOf } from '../../ui/error-message.ts'
import { toast } from '../../ui/toast.ts'
import { useAnotherTry, useDeletion } from './transcriptions.ts'

interface CardActionsProps {
  transcription: Transcription
  onGone(): void
}

export function CardActions({ transcription, onGone }: CardActionsProps) {
  const { id, status, text, fileName, audioAvailable } = transcription
  const again = useAnotherTry()
  const tryAgain = () =>
    again.mutate(id, {
      onSuccess: () => toast('The note is being transcribed again.'),
      onError: error => toast(messageOf(error, 'Failed to transcribe again'), { type: 'error' }),
    })
  return (
    <div className="-mx-3 flex flex-wrap gap-1 sm:ml-auto sm:justify-end">
      {status === 'completed' && text && <CopyButton text={text} label="Copy text" variant="quiet" />}
      {status !== 'processing' && audioAvailable && (
        <Button variant="quiet" size="small" busy={again.isPending} onClick={tryAgain}>
          Transcribe again
        </Button>
      )}
      <Delete id={id} fileName={fileName} processing={status === 'processing'} onGone={onGone} />
    </div>
  )
}

interface DeleteProps {
  id: string
  fileName: string
  processing: boolean
  onGone(): void
}

function Delete({ id, fileName, processing, onGone }: DeleteProps) {
  const [asking, setAsking] = useState(false)
  const deletion = useDeletion()
  const remove = async () => {
    try {
      await deletion.mutateAsync(id)
      toast('Transcription deleted', { type: 'success' })
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
        <span className="break-words">{fileName}</span> is deleted for good, text and audio.{' '}
        {processing
          ? 'It is not transcribed and costs no minutes.'
          : 'The minutes it used are not given back.'}
      </Dialog>
    </>
  )
}

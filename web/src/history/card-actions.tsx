import type { Transcription } from '@voxscribe/contracts/http'
import { Again } from '../transcript/note/again.tsx'
import { DeleteNote } from '../transcript/note/delete-note.tsx'
import { CopyButton } from '../ui/copy-button.tsx'

interface CardActionsProps {
  transcription: Transcription
  onGone(): void
}

export function CardActions({ transcription, onGone }: CardActionsProps) {
  const { id, status, text, title, language, audioAvailable } = transcription
  return (
    <div className="-mx-3 flex flex-wrap gap-1 sm:ml-auto sm:justify-end">
      {status === 'completed' && text && <CopyButton text={text} label="Copy text" variant="quiet" />}
      {status !== 'processing' && audioAvailable && <Again id={id} language={language} />}
      <DeleteNote id={id} name={title} processing={status === 'processing'} onGone={onGone} />
    </div>
  )
}

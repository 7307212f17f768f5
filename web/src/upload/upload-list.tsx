import { useEffect, useRef } from 'react'
import { Link } from 'react-router-dom'
import { useProfileChange } from '../session/use-profile.ts'
import { Failure } from '../transcript/note/failure.tsx'
import { useTranscript } from '../transcript/note/use-transcript.ts'
import { Button } from '../ui/button.tsx'
import { fileSize } from '../ui/figures.ts'
import { remove, retry, type Upload } from './uploads.ts'

/** Uploads in progress, and the outcome of finished ones. */
export function UploadList({ uploads }: { uploads: Upload[] }) {
  if (!uploads.length) return null
  return (
    <ul aria-label="Your uploads" className="mt-5 grid gap-3 border-line border-t pt-4">
      {uploads.map(upload => (
        <li key={upload.key} className="flex flex-wrap items-center gap-x-4 gap-y-1">
          <span className="min-w-0 flex-1 basis-56">
            <span className="block break-words font-semibold">{upload.file.name}</span>
            <State upload={upload} />
          </span>
          <Actions upload={upload} />
        </li>
      ))}
    </ul>
  )
}

function State({ upload: { state, share, error, file, noteId } }: { upload: Upload }) {
  const percent = Math.round(share * 100)
  if (state === 'failed')
    return (
      <span role="alert" className="text-bad">
        {error}
      </span>
    )
  if (state === 'sending')
    return (
      <span className="block">
        <progress
          aria-label={`Sending ${file.name}`}
          max={100}
          value={percent}
          className="my-1 block h-2 w-full appearance-none overflow-hidden rounded-full border-none bg-line [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-line [&::-webkit-progress-value]:bg-accent"
        />
        <span className="text-soft text-sm tabular-nums">
          {percent}% of {fileSize(file.size)}
        </span>
      </span>
    )
  if (state === 'sent' && noteId) return <Received noteId={noteId} />
  return (
    <span role="status" className="text-soft">
      {state === 'offline' ? 'No connection. It will be sent when you’re back online.' : 'Waiting its turn'}
    </span>
  )
}

/** Shows the outcome of an uploaded file, as its card does. */
function Received({ noteId }: { noteId: string }) {
  const { data: note } = useTranscript(noteId, true)
  const profile = useRef(useProfileChange())
  const hasEnded = note !== undefined && note.status !== 'processing'
  useEffect(() => {
    // Its minutes are used now.
    if (hasEnded) void profile.current.reload()
  }, [hasEnded])
  if (note?.status === 'failed')
    return (
      <span role="alert" className="text-bad">
        <Failure {...note} />
      </span>
    )
  return (
    <span role="status" className="text-soft">
      {note?.status === 'completed'
        ? note.text
          ? 'Transcribed'
          : note.notice
        : 'Sent. The text will follow shortly.'}
    </span>
  )
}

function Actions({ upload: { key, state, refused, noteId } }: { upload: Upload }) {
  return (
    <span className="-mx-3 flex gap-1">
      {state === 'sent' && noteId && (
        <Link to={`/transcriptions/${noteId}`} className="link px-3 py-2">
          Open
        </Link>
      )}
      {state === 'failed' && !refused && (
        <Button variant="quiet" size="small" onClick={() => retry(key)}>
          Try again
        </Button>
      )}
      <Button variant="quiet" size="small" onClick={() => remove(key)}>
        {state === 'sent' || state === 'failed' ? 'Dismiss' : 'Cancel'}
      </Button>
    </span>
  )
}

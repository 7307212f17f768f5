import { type ReactNode, useEffect, useRef } from 'react'
import { Link } from 'react-router-dom'
import { useProfileChange } from '../session/use-profile.ts'
import { Failure } from '../transcript/note/failure.tsx'
import { useTranscript } from '../transcript/note/use-transcript.ts'
import { Button } from '../ui/button.tsx'
import { messageOf } from '../ui/error-message.ts'
import { fileSize } from '../ui/figures.ts'
import { isRefusal, type Upload, useShareSent, type useUploads } from './uploads.ts'

type Uploading = ReturnType<typeof useUploads>

/** Uploads in progress, and the outcome of finished ones. */
export function UploadList({ uploads, ...does }: Uploading) {
  if (!uploads.length) return null
  return (
    <ul aria-label="Your uploads" className="mt-5 grid gap-3 border-line border-t pt-4">
      {uploads.map(upload => (
        <li key={upload.variables.key} className="flex flex-wrap items-center gap-x-4 gap-y-1">
          <span className="min-w-0 flex-1 basis-56">
            <span className="block break-words font-semibold">{upload.variables.file.name}</span>
            <State {...upload} />
          </span>
          <Actions upload={upload} {...does} />
        </li>
      ))}
    </ul>
  )
}

function State({ status, isPaused, failureReason, error, data, variables: { key, file } }: Upload) {
  if (status === 'error') return <Refused>{messageOf(error, 'Failed to send the file')}</Refused>
  if (data) return <Received noteId={data} />
  if (!isPaused) return <Progress uploadKey={key} file={file} />
  return (
    <span role="status" className="text-soft">
      {failureReason ? 'No connection. It will be sent when you’re back online.' : 'Waiting its turn'}
    </span>
  )
}

const Refused = ({ children }: { children: ReactNode }) => (
  <span role="alert" className="text-bad">
    {children}
  </span>
)

function Progress({ uploadKey, file }: { uploadKey: string; file: File }) {
  const percent = Math.round(useShareSent(uploadKey) * 100)
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
      <Refused>
        <Failure {...note} />
      </Refused>
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

interface ActionsProps extends Pick<Uploading, 'retry' | 'remove'> {
  upload: Upload
}

function Actions({ upload: { status, error, data, variables }, retry, remove }: ActionsProps) {
  const { key } = variables
  return (
    <span className="-mx-3 flex gap-1">
      {data && (
        <Link to={`/transcriptions/${data}`} className="link px-3 py-2">
          Open
        </Link>
      )}
      {error && !isRefusal(error) && (
        <Button variant="quiet" size="small" onClick={() => retry(key)}>
          Try again
        </Button>
      )}
      <Button variant="quiet" size="small" onClick={() => remove(key)}>
        {status === 'pending' ? 'Cancel' : 'Dismiss'}
      </Button>
    </span>
  )
}

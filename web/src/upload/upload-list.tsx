import { useQueries } from '@tanstack/react-query'
import type { TranscriptionDocument } from '@voxscribe/contracts/http'
import { type ReactNode, useEffect, useEffectEvent, useRef } from 'react'
import { Link } from 'react-router-dom'
import { i18n } from '../language/i18n.ts'
import { useDeletedIds } from '../note/deletions.ts'
import { transcriptOptions } from '../note/queries.ts'
import { Failure, noticeIn } from '../note/reasons.tsx'
import { useProfileChange } from '../session/use-profile.ts'
import { Button } from '../ui/action/button.tsx'
import { dropSecondClick } from '../ui/action/second-click.ts'
import { Bar } from '../ui/feedback/meter.tsx'
import { messageOf } from '../ui/feedback/toast.ts'
import { figure, fileSize, percent } from '../ui/figures.ts'
import { Summary } from '../ui/layout/details.tsx'
import { isRefusal, type Upload, useStep, type useUploads } from './uploads.ts'

type Uploading = ReturnType<typeof useUploads>
type Note = TranscriptionDocument | undefined

const isDone = ({ note }: { note: Note }) => note?.status === 'completed'

/** Uploads with their notes, except those whose note was deleted. */
function useOutcomes(uploads: Upload[]): { upload: Upload; note: Note }[] {
  const deleted = useDeletedIds()
  // The same audio sent twice may be one note.
  const ids = [...new Set(uploads.flatMap(({ data }) => data ?? []))]
  const notes = useQueries({ queries: ids.map(id => transcriptOptions(id, true)) })
  const { reload } = useProfileChange()
  const onEnded = useEffectEvent(reload)
  const ended = notes.filter(({ data }) => data && data.status !== 'processing').length
  useEffect(() => {
    // The notes have used their minutes by now.
    if (ended) void onEnded()
  }, [ended])
  return uploads
    .map(upload => {
      const { data: note, error } = notes[ids.indexOf(upload.data ?? '')] ?? {}
      return { upload, note, error }
    })
    .filter(({ upload, note, error }) => {
      const isGone = note && Object(error).status === 404
      return !isGone && !deleted.has(upload.data ?? '')
    })
}

/** The files being sent, one per line; folded into one line once all are transcribed. */
export function UploadList({ uploads, retry, remove }: Uploading) {
  const outcomes = useOutcomes(uploads)
  const list = useRef<HTMLDetailsElement>(null)
  const allDone = outcomes.every(isDone)
  // The list opens and folds by itself; in between, presses do.
  useEffect(() => {
    if (list.current) list.current.open = !allDone
  }, [allDone])
  if (!outcomes.length) return null
  const done = outcomes.filter(isDone).length
  return (
    <details ref={list} className="mt-2 text-sm">
      <Summary className="px-2">
        {/* A `status` role would leave the folded list without a name. */}
        <span aria-live="polite">
          {i18n.t(
            '{count, plural, one {{done} of # file transcribed} other {{done} of # files transcribed}}',
            { done: figure(done), count: outcomes.length },
          )}
        </span>
      </Summary>
      <ul
        aria-label={i18n.t('Your uploads')}
        onClickCapture={dropSecondClick}
        className="max-h-96 divide-y divide-line overflow-y-auto border-line border-y"
      >
        {outcomes.map(({ upload, note }) => (
          <li key={upload.variables.key} className="flex flex-wrap items-center gap-x-3 ps-2 pe-1.5">
            <span dir="auto" className="min-w-0 flex-1 basis-32 truncate text-beside font-semibold">
              {upload.variables.file.name}
            </span>
            <span className="min-w-0 max-w-full text-soft">
              <State upload={upload} note={note} />
            </span>
            <Actions upload={upload} retry={retry} remove={remove} />
          </li>
        ))}
      </ul>
    </details>
  )
}

function State({ upload, note }: { upload: Upload; note: Note }) {
  const { status, isPaused, failureReason, error, data, variables } = upload
  if (status === 'error') return <Refused>{messageOf(error, i18n.t('Failed to send the file'))}</Refused>
  if (note?.status === 'failed')
    return (
      <Refused>
        <Failure {...note} />
      </Refused>
    )
  if (!data && !isPaused) return <Progress sending={variables} />
  return (
    <span role="status">
      {data
        ? receivedAs(note)
        : failureReason
          ? i18n.t('No connection. It will be sent when you’re back online.')
          : i18n.t('Waiting its turn')}
    </span>
  )
}

const receivedAs = (note: Note) =>
  note?.status !== 'completed'
    ? i18n.t('Sent. The text will follow shortly.')
    : note.text
      ? i18n.t('Transcribed')
      : noticeIn(note)

const Refused = ({ children }: { children: ReactNode }) => (
  <span role="alert" className="text-bad">
    {children}
  </span>
)

function Progress({ sending: { key, file, sound = file } }: { sending: Upload['variables'] }) {
  const { isSending, share } = useStep(key)
  const { name } = file
  const done = percent(share) ?? ''
  return (
    <span className="flex items-center gap-2 tabular-nums">
      <Bar
        aria-label={
          isSending ? i18n.t('Sending {name}', { name }) : i18n.t('Making {name} smaller', { name })
        }
        value={share}
        className="w-20"
      />
      {isSending
        ? i18n.t('{share} of {size}', { share: done, size: fileSize(sound.size) })
        : i18n.t('Making it smaller: {share}', { share: done })}
    </span>
  )
}

function Actions({ upload, retry, remove }: Pick<Uploading, 'retry' | 'remove'> & { upload: Upload }) {
  const { status, error, data } = upload
  return (
    <span className="flex">
      {data && (
        <Link to={`/transcriptions/${data}`} className="link px-3 py-2">
          {i18n.t('Open')}
        </Link>
      )}
      {error && !isRefusal(error) && (
        <Button variant="quiet" size="small" onClick={() => retry(upload)}>
          {i18n.t('Try again')}
        </Button>
      )}
      <Button variant="quiet" size="small" onClick={() => remove(upload)}>
        {status === 'pending' ? i18n.t('Cancel|upload') : i18n.t('Dismiss|upload')}
      </Button>
    </span>
  )
}

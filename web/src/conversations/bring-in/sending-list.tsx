import { Link } from 'react-router-dom'
import { ApiError, networkErrorFrom } from '../../api/errors.ts'
import { i18n } from '../../language/i18n.ts'
import { sendFile } from '../../session/client.ts'
import { type Queue, type Queued, type Sending, useQueued } from '../../session/use-queued.ts'
import { Button } from '../../ui/action/button.tsx'
import { Bar } from '../../ui/feedback/meter.tsx'
import { messageOf } from '../../ui/feedback/toast.ts'
import { figure, shortMoment } from '../../ui/figures.ts'
import { useKept } from '../../use-kept.ts'

/** Chats whose recordings are being sent during this visit. */
export function SendingList() {
  const { queue, items } = useQueued('chat-recordings', RECORDINGS)
  const chats = Map.groupBy(items, ({ variables }) => variables.conversation.id)
  if (!chats.size) return null
  return (
    <ul aria-label={i18n.t('Your uploads')} className="mt-4 divide-y divide-line border-line border-y">
      {[...chats].map(([id, all]) => (
        <li key={id} className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2">
          <Progress all={all} />
          <span className="ms-auto flex flex-wrap">
            <Link to={`/conversations/${id}`} className="link px-3 py-2">
              {i18n.t('Open')}
            </Link>
            {all.some(({ status }) => status === 'error') && (
              <Button variant="quiet" size="small" onClick={() => queue.resend()}>
                {i18n.t('Try again')}
              </Button>
            )}
            <Button
              variant="quiet"
              size="small"
              onClick={() => {
                for (const { variables } of all) variables.abort.abort()
                queue.remove(({ variables }) => variables.conversation.id === id)
              }}
            >
              {all.some(({ status }) => status === 'pending')
                ? i18n.t('Cancel|upload')
                : i18n.t('Dismiss|upload')}
            </Button>
          </span>
        </li>
      ))}
    </ul>
  )
}

function Progress({ all }: { all: Recorded[] }) {
  const done = all.filter(({ status }) => status === 'success').length
  const failed = all.find(({ status }) => status === 'error')
  const { name } = all[0]!.variables.conversation
  const isAway = all.some(({ status, failureCount }) => status === 'pending' && failureCount > 0)
  const [pausedUntil] = useKept<string>(PAUSE)
  return (
    <div className="min-w-0 flex-1 basis-56">
      <p className="wrap-anywhere font-semibold">
        <bdi>{name}</bdi>
      </p>
      <p role="status" className="text-soft text-sm">
        {i18n.t('{count, plural, one {{done} of # voice note sent} other {{done} of # voice notes sent}}', {
          done: figure(done),
          count: all.length,
        })}
      </p>
      <Bar
        aria-label={i18n.t('Sending {name}', { name })}
        value={done / all.length}
        className="my-1 w-full max-w-80"
      />
      {failed && (
        <p role="alert" className="wrap-anywhere text-bad text-sm">
          <bdi>{failed.variables.name}</bdi>: {messageOf(failed.error, i18n.t('Failed to send the file'))}
        </p>
      )}
      {isAway && (
        <p role="status" className="text-sm text-warn">
          {i18n.t('The server doesn’t answer. It goes on by itself once it does.')}
        </p>
      )}
      {done < all.length && pausedUntil && (
        <p role="status" className="text-sm text-warn">
          {i18n.t('You’ve sent as many files as you can for now. It goes on by itself at {time}.', {
            time: shortMoment(pausedUntil),
          })}
        </p>
      )}
      {done < all.length && (
        <p className="text-soft text-sm">
          {i18n.t('If this page is closed, choose the same export again: nothing is sent twice.')}
        </p>
      )}
    </div>
  )
}

/** A recording on its way to its conversation. */
interface SentRecording {
  conversation: { id: string; name: string }
  /** Its name in the export. */
  name: string
  maxBytes: number
  abort: AbortController
  /** Reads it from the export. */
  content(signal: AbortSignal): Promise<File>
}
type Recorded = Queued<SentRecording, string>

/** Seconds until the next try, unless the response gives a time. */
const NEXT_TRY_SECONDS = 60
/** About a quarter of an hour: a restarting server takes minutes, and nobody watches hundreds of recordings. */
const TRIES = 30
/** When sending resumes, in ISO 8601. */
const PAUSE = ['chat-recordings-paused-until']

/** Sends recordings one after another. No key is needed: the server identifies each by conversation and name. */
export const RECORDINGS: Sending<SentRecording, string> = {
  async send({ conversation, name, maxBytes, abort: { signal }, content }, queue) {
    signal.throwIfAborted()
    const file = await content(signal)
    const sound = file.size > maxBytes ? await smaller(file, maxBytes, signal) : file
    const form = new FormData()
    form.append('conversation', conversation.id)
    form.append('conversationFile', name)
    form.append('file', sound, sound.name)
    for (;;)
      try {
        const { data } = await sendFile('upload', { form, signal })
        return data.transcription.id
      } catch (error) {
        if (!(error instanceof ApiError) || error.status !== 429) throw error
        await pause(queue, error.waitSeconds ?? NEXT_TRY_SECONDS, signal)
      }
  },
  tries: TRIES,
  isUnsaved: ({ status }) => status === 'pending',
  onSent: queries => void queries.invalidateQueries({ queryKey: ['conversation'] }),
}

async function smaller(file: File, maxBytes: number, signal: AbortSignal): Promise<File> {
  const { soundOf } = await import('../../upload/sound.ts').catch(cause => {
    throw networkErrorFrom(cause)
  })
  return soundOf(file, { maxBytes, signal, onShare() {} })
}

/** Waits out the hourly limit on files, and shows the page until when. */
async function pause({ queries }: Queue<SentRecording, string>, seconds: number, signal: AbortSignal) {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  queries.setQueryDefaults(PAUSE, { gcTime: Number.POSITIVE_INFINITY })
  queries.setQueryData(PAUSE, new Date(Date.now() + seconds * 1000).toISOString())
  setTimeout(resolve, seconds * 1000)
  signal.addEventListener('abort', () => reject(signal.reason))
  await promise.finally(() => queries.setQueryData(PAUSE, null))
}

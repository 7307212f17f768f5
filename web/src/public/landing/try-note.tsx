import type { DataFor } from '@voxscribe/contracts/calls'
import { TRY_SECONDS } from '@voxscribe/contracts/limits'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { ApiError } from '../../api/errors.ts'
import { useOpenToAll } from '../../api/installation.tsx'
import { send } from '../../api/send.ts'
import { clockTime } from '../../language/clock-time.ts'
import { i18n } from '../../language/i18n.ts'
import { languageTag } from '../../note/note-row.tsx'
import { Button, ButtonLink, Spinner } from '../../ui/action/button.tsx'
import { useLostFocus } from '../../ui/action/use-lost-focus.ts'
import { Banner } from '../../ui/feedback/banner.tsx'
import { formatHere } from '../../upload/microphone.ts'
import { Level } from '../../upload/recorder.tsx'
import { useRecording } from '../../upload/use-recording.ts'

/** The server accepts a megabyte, which includes the form around the file. */
const MAX_BYTES = 1_000_000

/** Sends a visitor's recordings one at a time; the last one can be sent again. */
function useTry() {
  const [isSending, setSending] = useState(false)
  const [heard, setHeard] = useState<DataFor<'tryNote'>>()
  const [error, setError] = useState<ApiError>()
  const last = useRef<File>(undefined)
  async function transcribe(file = last.current) {
    if (!file) return
    last.current = file
    setHeard(undefined)
    setError(undefined)
    setSending(true)
    const form = new FormData()
    form.set('file', file)
    try {
      setHeard((await send('tryNote', { form }, null)).data)
    } catch (error) {
      setError(error instanceof ApiError ? error : new ApiError(i18n.t('That didn’t work'), 0))
    }
    setSending(false)
  }
  return { isSending, heard, error, transcribe }
}

/** Starts recording up to half a minute at once, then shows the words: the product without an account. */
export default function TryNote() {
  const [made, setMade] = useState<File | null>(null)
  const { step, seconds, file, problem, stream, ...controls } = useRecording({
    file: made,
    setFile: setMade,
    maxBytes: MAX_BYTES,
    maxSeconds: TRY_SECONDS,
  })
  const { isSending, heard, error, transcribe } = useTry()
  const box = useLostFocus<HTMLDivElement>(`${step} ${isSending}`)
  const begun = useRef(false)
  const begin = useEffectEvent(() => {
    if (begun.current || !formatHere()) return
    begun.current = true
    void controls.start()
  })
  useEffect(() => begin(), [])
  const sendMade = useEffectEvent((made: File) => {
    controls.discard()
    void transcribe(made)
  })
  useEffect(() => {
    if (file) sendMade(file)
  }, [file])
  const isOn = step !== 'inactive'
  const again = (
    <Button variant="secondary" onClick={controls.start}>
      {i18n.t('Record again')}
    </Button>
  )
  return (
    <div ref={box} tabIndex={-1} className="grid gap-4 focus:outline-none">
      {!formatHere() && <Banner tone="warning">{i18n.t('This browser can’t record.')}</Banner>}
      {isOn && (
        <div className="flex min-h-13 flex-wrap items-center gap-3">
          <Button busy={step === 'starting'} onClick={controls.stop}>
            {i18n.t('Stop|recording')}
          </Button>
          <Level stream={step === 'recording' ? stream : undefined} />
          <span role="timer" className="tabular-nums">
            {i18n.t('{at} of {count}', { at: clockTime(seconds), count: clockTime(TRY_SECONDS) })}
          </span>
        </div>
      )}
      <div role="status" className="grid gap-4">
        {isSending && (
          <p className="flex min-h-13 items-center gap-3 text-soft">
            <Spinner />
            {i18n.t('Listening…')}
          </p>
        )}
        {!isOn && heard && (
          <>
            <blockquote
              dir="auto"
              lang={languageTag(heard.language)}
              className="wrap-anywhere rounded-card border border-line bg-surface p-5 text-lg leading-relaxed shadow-sheet"
            >
              {heard.text || i18n.t('No words were heard. Come closer to the microphone.')}
            </blockquote>
            {heard.text && <p className="font-semibold text-lg">{i18n.t('Now in your chat')}</p>}
          </>
        )}
        {problem && <Banner tone="warning">{problem}</Banner>}
        {!isOn && error && (
          <Banner tone="warning">
            {error.status === 503
              ? i18n.t(
                  'All engines are at work for others. Try again in a moment; with an account, your notes wait for their turn.',
                )
              : error.message}
          </Banner>
        )}
      </div>
      {!isOn && !isSending && (
        <div className="flex flex-wrap gap-3">
          <SignUpButton />
          {error?.status === 503 || error?.status === 0 ? (
            <Button variant="secondary" onClick={() => transcribe()}>
              {i18n.t('Try again')}
            </Button>
          ) : (
            formatHere() && error?.code !== 'try_used_up' && again
          )}
        </div>
      )}
    </div>
  )
}

/** Links to sign-up, or to sign-in if sign-up isn't open to everyone. */
const SignUpButton = () =>
  useOpenToAll() ? (
    <ButtonLink to="/signup">{i18n.t('Sign Up')}</ButtonLink>
  ) : (
    <ButtonLink to="/signin">{i18n.t('Sign In')}</ButtonLink>
  )

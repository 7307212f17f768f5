import { useMutation } from '@tanstack/react-query'
import type { DataFor } from '@voxscribe/contracts/calls'
import { TRY_SECONDS } from '@voxscribe/contracts/limits'
import { useEffect, useEffectEvent, useRef } from 'react'
import { useOpenToAll } from '../../api/installation.tsx'
import { send } from '../../api/send.ts'
import { i18n } from '../../language/i18n.ts'
import { clockTime } from '../../language/times.ts'
import { languageTag } from '../../note/note-row.tsx'
import { queryClient } from '../../session/query-client.ts'
import { Button, ButtonLink, Spinner } from '../../ui/action/button.tsx'
import { useLostFocus } from '../../ui/action/use-lost-focus.ts'
import { Banner } from '../../ui/feedback/banner.tsx'
import { messageOf } from '../../ui/feedback/toast.ts'
import { formatHere } from '../../upload/microphone.ts'
import { Level } from '../../upload/recorder.tsx'
import { useRecording } from '../../upload/use-recording.ts'

/** The server accepts a megabyte, which includes the form around the file. */
const MAX_BYTES = 1_000_000

async function transcribe(file: File): Promise<DataFor<'tryNote'>> {
  const form = new FormData()
  form.set('file', file)
  return (await send('tryNote', { form }, null)).data
}

/** Starts recording up to half a minute at once, then shows the words: the product without an account. */
export default function TryNote() {
  const sending = useMutation({ mutationFn: transcribe }, queryClient)
  const { isPending: isSending, data: heard, error } = sending
  const { status, code } = Object(error)
  const { step, seconds, problem, stream, ...controls } = useRecording({
    file: null,
    setFile: made => made && sending.mutate(made),
    maxBytes: MAX_BYTES,
    maxSeconds: TRY_SECONDS,
  })
  const box = useLostFocus<HTMLDivElement>(`${step} ${isSending}`)
  const begun = useRef(false)
  const begin = useEffectEvent(() => {
    if (begun.current || !formatHere()) return
    begun.current = true
    void controls.start()
  })
  useEffect(() => begin(), [])
  const isOn = step !== 'inactive'
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
            {status === 503
              ? i18n.t(
                  'All engines are at work for others. Try again in a moment; with an account, your notes wait for their turn.',
                )
              : messageOf(error, i18n.t('That didn’t work'))}
          </Banner>
        )}
      </div>
      {!isOn && !isSending && (
        <div className="flex flex-wrap gap-3">
          <SignUpButton />
          {status === 503 || status === 0 ? (
            <Button variant="secondary" onClick={() => sending.mutate(sending.variables!)}>
              {i18n.t('Try again')}
            </Button>
          ) : (
            formatHere() &&
            code !== 'try_used_up' && (
              <Button variant="secondary" onClick={controls.start}>
                {i18n.t('Record again')}
              </Button>
            )
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

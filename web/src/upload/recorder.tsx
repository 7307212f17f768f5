import { useCallback } from 'react'
import { clockTime } from '../language/clock-time.ts'
import { i18n } from '../language/i18n.ts'
import { Button } from '../ui/action/button.tsx'
import { useLostFocus } from '../ui/action/use-lost-focus.ts'
import { Banner } from '../ui/feedback/banner.tsx'
import { formatHere, openMeter } from './microphone.ts'
import { useRecording } from './use-recording.ts'
import { WordsAhead } from './words-ahead.tsx'

interface RecorderProps {
  onRecorded(file: File): void
  maxBytes: number
  /** The language in which words are shown while somebody records; null: they are not. */
  wordsIn: string | null
}

/** Records a note with the microphone: pause, listen, discard, send. */
export function Recorder({ onRecorded, maxBytes, wordsIn }: RecorderProps) {
  const { step, seconds, file, problem, ...does } = useRecording({ maxBytes })
  const isOn = step === 'recording' || step === 'paused'
  const box = useLostFocus<HTMLDivElement>(file)
  if (!formatHere())
    return (
      <p className="text-soft">
        {i18n.t('This browser can’t record. Record with another app, then choose its file.')}
      </p>
    )
  const { stream } = does
  const hasMeter = typeof AudioContext !== 'undefined'
  return (
    <div ref={box} tabIndex={-1} className="grid min-w-0 gap-3">
      {problem && <Banner tone="warning">{problem}</Banner>}
      <div className="flex flex-wrap items-center gap-3">
        {/* The same button for both labels, so that it keeps the focus. */}
        {!file && (
          <Button
            data-begin="record"
            variant={isOn ? 'primary' : 'secondary'}
            className="max-[22.5rem]:px-2 max-xs:px-3"
            busy={step === 'starting'}
            onClick={isOn ? does.stop : does.start}
          >
            {isOn ? i18n.t('Stop|recording') : i18n.t('Record')}
          </Button>
        )}
        {isOn && (
          <>
            <Button variant="secondary" onClick={does.pauseOrResume}>
              {step === 'paused' ? i18n.t('Resume') : i18n.t('Pause|recording')}
            </Button>
            <Level stream={step === 'recording' ? stream : undefined} />
            <span role="timer" className="tabular-nums">
              {i18n.t(step === 'paused' ? /*i18n*/ 'Paused at {time}' : /*i18n*/ 'Recording {time}', {
                time: clockTime(seconds),
              })}
            </span>
          </>
        )}
        {file && (
          <>
            <Preview file={file} />
            <Button
              onClick={() => {
                onRecorded(file)
                does.discard()
              }}
            >
              {i18n.t('Send')}
            </Button>
            <Button variant="danger" onClick={does.discard}>
              {i18n.t('Discard')}
            </Button>
          </>
        )}
      </div>
      {(isOn || file) && stream && wordsIn && hasMeter && (
        <WordsAhead stream={stream} step={isOn ? step : 'over'} language={wordsIn} />
      )}
    </div>
  )
}

/** Draws how loud the microphone hears, as it does; nothing where the browser cannot tell. */
export function Level({ stream }: { stream: MediaStream | undefined }) {
  const show = useCallback(
    (meter: HTMLElement) => {
      if (!stream || typeof AudioContext === 'undefined') return
      const sound = openMeter(stream)
      let frame = 0
      const draw = () => {
        meter.style.scale = `${Math.min(1, sound.level() ** 0.5)} 1`
        frame = requestAnimationFrame(draw)
      }
      draw()
      return () => {
        cancelAnimationFrame(frame)
        sound.close()
      }
    },
    [stream],
  )
  return (
    <span aria-hidden="true" className="h-2 w-24 overflow-hidden rounded-full bg-line">
      <span ref={show} className="block size-full origin-left scale-x-0 rounded-full bg-accent" />
    </span>
  )
}

function Preview({ file }: { file: File }) {
  const show = useCallback(
    (audio: HTMLAudioElement) => {
      audio.src = URL.createObjectURL(file)
      return () => URL.revokeObjectURL(audio.src)
    },
    [file],
  )
  // biome-ignore lint/a11y/useMediaCaption: a preview of the recording just made
  return <audio controls ref={show} aria-label={i18n.t('Your recording')} className="max-w-full" />
}

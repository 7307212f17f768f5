import { useCallback, useEffect, useRef, useState } from 'react'
import { clockTime } from '../language/clock-time.ts'
import { i18n } from '../language/i18n.ts'
import { Button } from '../ui/action/button.tsx'
import { useListener } from '../ui/action/use-listener.ts'
import { useLostFocus } from '../ui/action/use-lost-focus.ts'
import { Banner } from '../ui/feedback/banner.tsx'
import { formatHere, openMeter, recorderOf } from './microphone.ts'
import { WordsAhead } from './words-ahead.tsx'

interface RecorderProps {
  onRecorded(file: File): void
  maxBytes: number
  /** The language in which words are shown while somebody records; null: they are not. */
  wordsIn: string | null
}

/** Records a note with the microphone: pause, listen, discard, send. */
export function Recorder({ onRecorded, maxBytes, wordsIn }: RecorderProps) {
  const { step, seconds, file, problem, ...does } = useRecording(maxBytes)
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
function Level({ stream }: { stream: MediaStream | undefined }) {
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

function useRecording(maxBytes: number) {
  const [step, setStep] = useState<RecordingState | 'starting'>('inactive')
  const [seconds, setSeconds] = useState(0)
  const [file, setFile] = useState<File | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const recorder = useRef<MediaRecorder | null>(null)

  useEffect(() => {
    if (step !== 'recording') return
    const timer = setInterval(() => setSeconds(before => before + 1), 1_000)
    return () => clearInterval(timer)
  }, [step])
  const isUnsent = step === 'recording' || step === 'paused' || file !== null
  useListener(window, ['beforeunload'], event => event.preventDefault(), isUnsent)
  const isHere = useRef(true)
  // The microphone must not stay open when the person leaves the page, nor open after that.
  useEffect(() => {
    isHere.current = true
    return () => {
      isHere.current = false
      if (recorder.current) close(recorder.current)
    }
  }, [])

  return {
    step,
    seconds,
    file,
    problem,
    stream: recorder.current?.stream,
    async start() {
      setStep('starting')
      setProblem(null)
      setSeconds(0)
      try {
        recorder.current = await record(maxBytes, setFile)
        if (!isHere.current) return close(recorder.current)
        for (const event of ['start', 'pause', 'resume', 'stop'])
          recorder.current.addEventListener(event, () => setStep(recorder.current?.state ?? 'inactive'))
      } catch (error) {
        setStep('inactive')
        setProblem(reasonOf(error))
      }
    },
    pauseOrResume: () => (step === 'paused' ? recorder.current?.resume() : recorder.current?.pause()),
    stop: () => recorder.current?.stop(),
    discard: () => setFile(null),
  }
}

/** Records until it is stopped, or until another second would make the file too large to send. */
async function record(maxBytes: number, onMade: (file: File) => void): Promise<MediaRecorder> {
  const stream = await navigator.mediaDevices.getUserMedia({ audio: true })
  const recorder = recorderOf(stream)
  const pieces: Blob[] = []
  let bytes = 0
  recorder.ondataavailable = ({ data }) => {
    pieces.push(data)
    bytes += data.size
    if (bytes > maxBytes - 64 * 1024 && recorder.state !== 'inactive') recorder.stop()
  }
  recorder.onstop = () => {
    close(recorder)
    const type = recorder.mimeType.split(';')[0] || 'audio/webm'
    const name = i18n.t('Recording {date}', { date: timeInName(new Date()) })
    onMade(new File(pieces, `${name}.${type.split('/')[1]}`, { type }))
  }
  recorder.start(1_000)
  return recorder
}

/** Closes the microphone, which also ends a recording. */
function close({ stream }: MediaRecorder) {
  for (const track of stream.getTracks()) track.stop()
}

/** `2026-11-20 14.05` in local time: Swedish writes dates as ISO 8601. */
const timeInName = (at: Date) =>
  at.toLocaleString('sv', { dateStyle: 'short', timeStyle: 'short' }).replace(':', '.')

const reasonOf = (error: unknown) =>
  error instanceof DOMException && error.name === 'NotAllowedError'
    ? i18n.t('The microphone is blocked. Allow it for this site in your browser, then try again.')
    : i18n.t('We couldn’t access a microphone. Connect one, or choose a file instead.')

import { useCallback, useEffect, useRef, useState } from 'react'
import { ApiError } from '../api/errors.ts'
import { i18n } from '../language/i18n.ts'
import { clockTime } from '../language/times.ts'
import { languageTag } from '../note/note-row.tsx'
import { sendFile } from '../session/client.ts'
import { useSession } from '../session/session.ts'
import { Button } from '../ui/action/button.tsx'
import { useLostFocus } from '../ui/action/use-lost-focus.ts'
import { Banner } from '../ui/feedback/banner.tsx'
import { useKept } from '../use-kept.ts'
import { formatHere, inPieces, openMeter } from './microphone.ts'
import { useRecording } from './use-recording.ts'

interface RecorderProps {
  onRecorded(file: File): void
  maxBytes: number
  /** The language in which words are shown during a recording; null: no words are shown. */
  wordsIn: string | null
}

/** A recording that isn't sent yet. It survives leaving the page, for the person who made it. */
function useUnsent() {
  const { user } = useSession()
  const [file, setFile] = useKept<File>(['recording', user?.id], { meta: { isUnsaved: true } })
  return { file, setFile }
}

/** Records a note with the microphone: pause, listen, discard, send. */
export function Recorder({ onRecorded, maxBytes, wordsIn }: RecorderProps) {
  const { step, seconds, file, problem, ...controls } = useRecording({ maxBytes, ...useUnsent() })
  const isOn = step === 'recording' || step === 'paused'
  const box = useLostFocus<HTMLDivElement>(file)
  if (!formatHere())
    return (
      <p className="text-soft">
        {i18n.t('This browser can’t record. Record with another app, then choose its file.')}
      </p>
    )
  const { stream } = controls
  const hasMeter = typeof AudioContext !== 'undefined'
  return (
    <div ref={box} tabIndex={-1} className="grid min-w-0 gap-3">
      {problem && <Banner tone="warning">{problem}</Banner>}
      <div className="flex flex-wrap items-center gap-3">
        {/* One button serves both labels, so that it keeps the focus. */}
        {!file && (
          <Button
            data-begin="record"
            variant={isOn ? 'primary' : 'secondary'}
            className="max-[22.5rem]:px-2 max-xs:px-3"
            busy={step === 'starting'}
            onClick={isOn ? controls.stop : controls.start}
          >
            {isOn ? i18n.t('Stop|recording') : i18n.t('Record')}
          </Button>
        )}
        {isOn && (
          <>
            <Button variant="secondary" onClick={controls.pauseOrResume}>
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
                controls.discard()
              }}
            >
              {i18n.t('Send')}
            </Button>
            <Button variant="danger" onClick={controls.discard}>
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

/** Draws the microphone's level in real time; nothing if the browser can't measure it. */
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

/** Pieces that may wait while one is transcribed. Older ones are dropped, so that a slow machine keeps up. */
const WAITING_MAX = 2

interface Draft {
  text: string
  language: string
}
const GAP: Draft = { text: '…', language: 'auto' }

interface WordsAheadProps {
  stream: MediaStream
  step: 'recording' | 'paused' | 'over'
  language: string
}

/** Shows words during a recording, as far as the server has time to transcribe them. The note doesn't use them. */
function WordsAhead({ stream, step, language }: WordsAheadProps) {
  const [drafts, setDrafts] = useState<Draft[]>([])
  const add = useRef((_: Blob | null) => {})
  const isOver = step === 'over'
  useEffect(() => {
    if (isOver) return
    const ended = new AbortController()
    add.current = createPreviewQueue(language, ended.signal, words =>
      setDrafts(before => (words === GAP && before.at(-1) === GAP ? before : [...before, words])),
    )
    return () => ended.abort()
  }, [isOver, language])
  const isRecording = step === 'recording'
  useEffect(() => {
    if (isRecording) return inPieces(stream, piece => add.current(piece))
  }, [isRecording, stream])
  const box = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the newest words are shown when they come
  useEffect(() => {
    if (box.current) box.current.scrollTop = box.current.scrollHeight
  }, [drafts])
  if (!drafts.some(words => words !== GAP)) return null
  return (
    <div className="grid w-full min-w-0 gap-1">
      <p className="text-sm text-soft">
        {i18n.t('A first draft. The text comes once you’ve sent the recording.')}
      </p>
      <div
        ref={box}
        role="log"
        // A screen reader's voice would be recorded.
        aria-live={isRecording ? 'off' : 'polite'}
        aria-label={i18n.t('Words so far')}
        dir="auto"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
        tabIndex={0}
        className="max-h-24 overflow-y-auto border-s-2 border-line ps-3 leading-6 wrap-anywhere text-soft"
      >
        {drafts.map(({ text, language }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: words are only added
          <span key={index} lang={languageTag(language)}>
            {text}{' '}
          </span>
        ))}
      </div>
    </div>
  )
}

/** Transcribes pieces (null: a gap) in order until aborted or refused. A busy response only skips its piece. */
function createPreviewQueue(language: string, signal: AbortSignal, show: (words: Draft) => void) {
  const waiting: (Blob | null)[] = []
  let isAtWork = false
  let isOver = false
  const preview = (file: Blob): Promise<Draft> =>
    sendFile('previewText', { query: { language }, file, signal }).then(
      ({ data }) => data,
      error => {
        isOver = signal.aborted || (error instanceof ApiError && error.status >= 400 && error.status < 500)
        return GAP
      },
    )
  return async (piece: Blob | null): Promise<void> => {
    if (isOver || signal.aborted) return
    waiting.push(piece)
    const files = waiting.filter(each => each !== null)
    if (files[0] && files.length > WAITING_MAX) waiting[waiting.indexOf(files[0])] = null
    if (isAtWork) return
    isAtWork = true
    while (waiting.length && !isOver) {
      const next = waiting.shift()
      const words = next ? await preview(next) : GAP
      if (!isOver && words.text) show(words)
    }
    isAtWork = false
  }
}

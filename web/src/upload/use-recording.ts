import { useEffect, useRef, useState } from 'react'
import { i18n } from '../language/i18n.ts'
import { useListener } from '../ui/action/use-listener.ts'
import { recorderOf } from './microphone.ts'

interface RecordingOptions {
  /** The finished recording, which the caller stores. */
  file: File | null
  setFile(file: File | null): void
  maxBytes: number
  /** Seconds after which it stops by itself. */
  maxSeconds?: number
}

/** A recording with the microphone: starting, recording, paused, finished; or why it isn't possible. */
export function useRecording({
  file,
  setFile,
  maxBytes,
  maxSeconds = Number.POSITIVE_INFINITY,
}: RecordingOptions) {
  const [step, setStep] = useState<RecordingState | 'starting'>('inactive')
  const [seconds, setSeconds] = useState(0)
  const [problem, setProblem] = useState<string | null>(null)
  const recorder = useRef<MediaRecorder | null>(null)

  /** Milliseconds. */
  const recorded = useRef(0)

  useEffect(() => {
    if (step !== 'recording') return
    // By the clock: a page out of sight counts late.
    const began = performance.now() - recorded.current
    const timer = setInterval(() => setSeconds(Math.round((performance.now() - began) / 1_000)), 1_000)
    const letScreenOff = keepScreenOn()
    return () => {
      recorded.current = performance.now() - began
      clearInterval(timer)
      letScreenOff()
    }
  }, [step])
  useEffect(() => {
    if (seconds >= maxSeconds && recorder.current?.state !== 'inactive') recorder.current?.stop()
  }, [seconds, maxSeconds])
  const isUnsent = step === 'recording' || step === 'paused' || file !== null
  useListener(window, ['beforeunload'], event => event.preventDefault(), isUnsent)
  const isHere = useRef(true)
  // When the person leaves the page, the microphone must close, and must not open afterwards.
  useEffect(() => {
    isHere.current = true
    return () => {
      isHere.current = false
      if (recorder.current && recorder.current.state !== 'inactive') recorder.current.stop()
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
      recorded.current = 0
      try {
        recorder.current = await record(maxBytes, setFile)
        if (!isHere.current) {
          recorder.current.onstop = null
          return close(recorder.current)
        }
        for (const event of ['start', 'pause', 'resume', 'stop'])
          recorder.current.addEventListener(event, () => setStep(recorder.current?.state ?? 'inactive'))
        followMicrophone(recorder.current, setProblem)
      } catch (error) {
        setStep('inactive')
        setProblem(reasonOf(error))
      }
    },
    pauseOrResume() {
      setProblem(null)
      if (step === 'paused') recorder.current?.resume()
      else recorder.current?.pause()
    },
    stop: () => recorder.current?.stop(),
    discard: () => setFile(null),
  }
}

/** Records until stopped, or until another second would make the file too large to send. */
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

/** Says why a recording pauses or ends by itself, such as for a phone call: it would be of silence. */
function followMicrophone(recorder: MediaRecorder, say: (problem: string) => void) {
  for (const track of recorder.stream.getTracks()) {
    track.onmute = () => {
      if (recorder.state !== 'recording') return
      recorder.pause()
      say(i18n.t('The microphone is muted, or another app is using it. The recording is paused.'))
    }
    track.onended = () => say(i18n.t('The microphone was cut off. Everything recorded until then is here.'))
  }
}

/** Keeps a phone from locking its screen, which ends recordings, until the returned function is called. */
function keepScreenOn(): () => void {
  // A browser may refuse, as when its battery is low.
  const lock = navigator.wakeLock?.request('screen').catch(() => null)
  return () => void lock?.then(held => held?.release())
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

import { PREVIEW_SECONDS } from '@voxscribe/contracts/limits'

const FORMATS = ['audio/webm;codecs=opus', 'audio/mp4', 'audio/ogg;codecs=opus']
const BITS_PER_SECOND = 32_000

/** Returns the format of recordings in this browser; undefined if it can't record. Debian's WebKit supports none. */
export const formatHere = () =>
  typeof MediaRecorder !== 'undefined' && navigator.mediaDevices
    ? FORMATS.find(format => MediaRecorder.isTypeSupported(format))
    : undefined

export const recorderOf = (stream: MediaStream) =>
  new MediaRecorder(stream, { mimeType: formatHere(), audioBitsPerSecond: BITS_PER_SECOND })

/** Samples per measurement: a sixth of a second. */
const SAMPLES = 8192

/** Measures the level of a microphone's audio, 0 to 1. */
export function openMeter(stream: MediaStream) {
  const context = new AudioContext()
  const analyser = context.createAnalyser()
  analyser.fftSize = SAMPLES
  context.createMediaStreamSource(stream).connect(analyser)
  const samples = new Float32Array(SAMPLES)
  return {
    level(): number {
      analyser.getFloatTimeDomainData(samples)
      return samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0)
    },
    close: () => void context.close(),
  }
}

/** A piece is cut at the first pause after the shortest length, or else at the longest. */
const SHORTEST_SECONDS = 5
const LONGEST_SECONDS = 15
const LEVEL_EVERY_MS = 100
const PAUSE_LEVELS = 3
/** A level, of 1, below which nobody is speaking. */
const FAINT = 0.02
/** A pause is quieter than this share of the loudest level, because no room is silent. */
const QUIET_SHARE = 0.15

/** Whether to end a recorder's piece, judged by its length and its levels so far (0 to 1, one every 100 ms). */
export function isTimeToCut(seconds: number, levels: readonly number[]): boolean {
  if (seconds < SHORTEST_SECONDS || seconds >= LONGEST_SECONDS) return seconds >= LONGEST_SECONDS
  const quiet = Math.max(FAINT, QUIET_SHARE * Math.max(...levels))
  return levels.slice(-PAUSE_LEVELS).every(level => level < quiet)
}

/** Passes on pieces of some seconds until the returned function is called: skips silence, null for one too long. */
export function inPieces(stream: MediaStream, onPiece: (piece: Blob | null) => void): () => void {
  const meter = openMeter(stream)
  function begin() {
    const recorder = recorderOf(stream)
    const levels: number[] = []
    const started = performance.now()
    const seconds = () => (performance.now() - started) / 1000
    recorder.ondataavailable = ({ data }) => {
      if (Math.max(...levels) >= FAINT) onPiece(seconds() < PREVIEW_SECONDS ? data : null)
    }
    recorder.start()
    return { levels, seconds, end: () => recorder.state !== 'inactive' && recorder.stop() }
  }
  let piece = begin()
  const timer = setInterval(() => {
    piece.levels.push(meter.level())
    if (!stream.active || !isTimeToCut(piece.seconds(), piece.levels)) return
    const last = piece
    // The next piece starts before this one ends, so that no word is lost between them.
    piece = begin()
    last.end()
  }, LEVEL_EVERY_MS)
  return () => {
    clearInterval(timer)
    piece.end()
    meter.close()
  }
}

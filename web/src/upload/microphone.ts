const FORMATS = ['audio/webm;codecs=opus', 'audio/mp4', 'audio/ogg;codecs=opus']
const BITS_PER_SECOND = 32_000

/** The format of recordings in this browser; undefined if it cannot record. Debian's WebKit has a recorder without any. */
export const formatHere = () =>
  typeof MediaRecorder !== 'undefined' && navigator.mediaDevices
    ? FORMATS.find(format => MediaRecorder.isTypeSupported(format))
    : undefined

export const recorderOf = (stream: MediaStream) =>
  new MediaRecorder(stream, { mimeType: formatHere(), audioBitsPerSecond: BITS_PER_SECOND })

/** Samples that are looked at: a sixth of a second. */
const SAMPLES = 8192

/** Measures how loud a microphone hears, 0 to 1. */
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

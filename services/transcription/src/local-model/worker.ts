// Its own process: native code that aborts does not end the service, and SIGKILL ends it at once.
import { open } from 'node:fs/promises'
import { setImmediate } from 'node:timers/promises'
import sherpa, { type Result } from 'sherpa-onnx-node'
import { BYTES_PER_SECOND, SAMPLE_RATE } from '../audio/levels.ts'
import { SHORTEST_SECONDS } from '../audio/pieces.ts'
import type { Span } from '../audio/span.ts'
import { configOf } from './config.ts'
import type { Detect, Heard, Recognise, Reply, Task } from './protocol.ts'

/** Samples that the detector takes at once; it knows no other size. */
const WINDOW = 512
/** Read and looked at in pieces of this length, so that memory stays flat and the end of the parent is noticed. */
const STEP_SECONDS = 16
const STEP_BYTES = STEP_SECONDS * BYTES_PER_SECOND

function floats(bytes: Buffer, gain: number): Float32Array {
  const samples = new Int16Array(bytes.buffer, bytes.byteOffset, bytes.length >> 1)
  return Float32Array.from(samples, sample => Math.max(-1, Math.min(1, (sample / 32_768) * gain)))
}

async function* samplesOf(path: string, gain: number, { from, to }: Span): AsyncGenerator<Float32Array> {
  const file = await open(path)
  try {
    const end = Math.round(to * SAMPLE_RATE) * 2
    for (let at = Math.round(from * SAMPLE_RATE) * 2; at < end; ) {
      const { bytesRead, buffer } = await file.read(Buffer.alloc(Math.min(STEP_BYTES, end - at)), 0, null, at)
      if (!bytesRead) return
      yield floats(buffer.subarray(0, bytesRead), gain)
      at += bytesRead
      await setImmediate()
    }
  } finally {
    await file.close()
  }
}

async function detect({ detector, path, gain, span, padding, threshold }: Detect): Promise<Span[]> {
  const sileroVad = {
    model: detector,
    threshold,
    minSilenceDuration: 0.3,
    minSpeechDuration: 0.1,
    maxSpeechDuration: 20,
    windowSize: WINDOW,
  }
  const vad = new sherpa.Vad({ sileroVad, sampleRate: SAMPLE_RATE, numThreads: 1 }, 60)
  hasLoaded()
  const spans: Span[] = []
  const shift = span.from - padding
  const inFile = (second: number) => Math.min(span.to, Math.max(span.from, second + shift))
  const take = () => {
    for (; !vad.isEmpty(); vad.pop()) {
      const { start, samples } = vad.front(false)
      spans.push({
        from: inFile(start / SAMPLE_RATE),
        to: inFile((start + samples.length) / SAMPLE_RATE),
      })
    }
  }
  const look = (samples: Float32Array) => {
    for (let at = 0; at < samples.length; at += WINDOW) {
      // The last window of the file may be short: silence fills it up.
      const window = new Float32Array(WINDOW)
      window.set(samples.subarray(at, at + WINDOW))
      vad.acceptWaveform(window)
      take()
    }
  }
  const silence = new Float32Array(Math.round(padding * SAMPLE_RATE))
  look(silence)
  for await (const samples of samplesOf(path, gain, span)) look(samples)
  look(silence)
  vad.flush()
  take()
  return spans
}

type Recogniser = Awaited<ReturnType<typeof sherpa.OfflineRecognizer.createAsync>>
let loaded: { recogniser: Promise<Recogniser>; language: string } | undefined

async function recogniserFor({ model, language }: Recognise): Promise<Recogniser> {
  const config = configOf(model, language)
  loaded ??= { recogniser: sherpa.OfflineRecognizer.createAsync(config), language }
  const recogniser = await loaded.recogniser
  if (loaded.language !== language) {
    recogniser.setConfig(config)
    loaded.language = language
  }
  return recogniser
}

async function recognise(task: Recognise): Promise<Heard> {
  const recogniser = await recogniserFor(task)
  hasLoaded()
  const stream = recogniser.createStream()
  let count = 0
  for await (const samples of samplesOf(task.path, task.gain, task.span)) {
    if (!samples.length) continue
    count += samples.length
    stream.acceptWaveform({ samples, sampleRate: SAMPLE_RATE })
  }
  // An empty stream would end the process.
  if (!count) return { text: '', language: '', segments: [], tokens: [] }
  const missing = SHORTEST_SECONDS * SAMPLE_RATE - count
  if (missing > 0) stream.acceptWaveform({ samples: new Float32Array(missing), sampleRate: SAMPLE_RATE })
  return heardFrom(await recogniser.decodeAsync(stream))
}

/** Puts the lists of a result together. */
function heardFrom(result: Result): Heard {
  const { segment_texts = [], segment_timestamps = [], segment_durations = [], tokens = [] } = result
  const { timestamps = [], durations = [], ys_log_probs = [] } = result
  return {
    text: result.text,
    // `<|en|>` in SenseVoice.
    language: (result.lang ?? '').replace(/[<|>]/g, ''),
    segments: segment_texts.map((text, index) => {
      const from = segment_timestamps[index] ?? 0
      return { from, to: from + (segment_durations[index] ?? 0), text }
    }),
    tokens: tokens.flatMap((text, index) => {
      const from = timestamps[index]
      if (from === undefined) return []
      const logProbability = ys_log_probs[index]
      const confidence = logProbability === undefined ? null : Math.exp(logProbability)
      return [{ text, from, to: from + (durations[index] ?? 0), confidence }]
    }),
  }
}

const reply = (message: Reply) => process.send?.(message)
const hasLoaded = () => reply({ loaded: true })

process.on('message', (task: Task) => {
  const work = task.do === 'detect' ? detect(task) : recognise(task)
  work.then(
    result => reply({ result }),
    error => reply({ error: String(error?.message ?? error) }),
  )
})
// The service is gone.
process.on('disconnect', () => process.exit())

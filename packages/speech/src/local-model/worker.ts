// A separate process: aborting native code doesn't end the service, and SIGKILL stops it at once.
import { setImmediate } from 'node:timers/promises'
import sherpa, { type Result } from 'sherpa-onnx-node'
import { SAMPLE_RATE, type Span } from '../audio/levels.ts'
import { readPieces } from '../audio/pieces.ts'
import { configOf } from './config.ts'
import { grouped } from './grouping.ts'
import type { Detect, Embed, Recognise, Recognised, Reply, Task } from './protocol.ts'

/** Samples per call of the detector, which accepts no other number. */
const WINDOW = 512
/** Reads a span of at least `SHORTEST_SECONDS` in chunks of whole detector windows; the last two may be shorter. */
async function* samplesOf({
  path,
  gain,
  span,
}: Pick<Detect, 'path' | 'gain' | 'span'>): AsyncGenerator<Float32Array> {
  for await (const { buffer, byteOffset, length } of readPieces(path, [span])) {
    const samples = new Int16Array(buffer, byteOffset, length >> 1)
    if (length)
      yield Float32Array.from(samples, sample => Math.max(-1, Math.min(1, (sample / 32_768) * gain)))
    // Between two chunks the worker can notice that its parent has ended.
    await setImmediate()
  }
}

type Vad = InstanceType<typeof sherpa.Vad>
/** By threshold and model. If each task made its own, V8 would free their 7 MB late: it sees only small handles. */
const detectors = new Map<string, Vad>()

function detectorFor({ detector: model, threshold }: Detect): Vad {
  const key = `${threshold} ${model}`
  const known = detectors.get(key)
  if (known) {
    known.reset()
    return known
  }
  const sileroVad = {
    model,
    threshold,
    minSilenceDuration: 0.3,
    minSpeechDuration: 0.1,
    maxSpeechDuration: 20,
    windowSize: WINDOW,
  }
  const made = new sherpa.Vad({ sileroVad, sampleRate: SAMPLE_RATE, numThreads: 1 }, 60)
  detectors.set(key, made)
  return made
}

async function detect(task: Detect): Promise<Span[]> {
  const { span, padding, onlyFirst } = task
  const vad = detectorFor(task)
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
      // The last window of the file may be short; silence fills it.
      const window = new Float32Array(WINDOW)
      window.set(samples.subarray(at, at + WINDOW))
      vad.acceptWaveform(window)
      take()
    }
  }
  const silence = new Float32Array(Math.round(padding * SAMPLE_RATE))
  look(silence)
  for await (const samples of samplesOf(task)) {
    const before = spans.length
    look(samples)
    if (spans.length && onlyFirst) return spans
    if (spans.length > before) reply({ found: spans.slice(before) })
  }
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

async function recognise(task: Recognise): Promise<Recognised> {
  const recogniser = await recogniserFor(task)
  hasLoaded()
  const stream = recogniser.createStream()
  for await (const samples of samplesOf(task)) stream.acceptWaveform({ samples, sampleRate: SAMPLE_RATE })
  return recognisedIn(await recogniser.decodeAsync(stream))
}

/** Quieter voices are amplified to this level, -30 dB of full scale, because the networks were trained with it. */
const VOICE_LEVEL = 10 ** (-30 / 20)
let voices: { extractor: InstanceType<typeof sherpa.SpeakerEmbeddingExtractor>; model: string } | undefined

async function embed({ path, gain, windows, voices: model }: Embed): Promise<Float32Array[]> {
  if (voices?.model !== model)
    voices = { extractor: new sherpa.SpeakerEmbeddingExtractor({ model, numThreads: 1 }), model }
  hasLoaded()
  const { extractor } = voices
  const vectors: Float32Array[] = []
  for (const span of windows) {
    const stream = extractor.createStream()
    const samples: number[] = []
    for await (const chunk of samplesOf({ path, gain, span })) samples.push(...chunk)
    const level = Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length)
    const raise = Math.max(1, VOICE_LEVEL / Math.max(level, 1e-6))
    stream.acceptWaveform({
      samples: Float32Array.from(samples, sample => sample * raise),
      sampleRate: SAMPLE_RATE,
    })
    stream.inputFinished()
    const vector = extractor.compute(stream, false)
    const length = Math.hypot(...vector) || 1
    vectors.push(vector.map(value => value / length))
  }
  return vectors
}

function recognisedIn(result: Result): Recognised {
  const { segment_texts = [], segment_timestamps = [], segment_durations = [], tokens = [] } = result
  const { timestamps = [], durations = [], ys_log_probs = [] } = result
  return {
    text: result.text,
    // SenseVoice returns `<|en|>`.
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

async function workOn(task: Task) {
  if (task.do === 'detect') return detect(task)
  if (task.do === 'embed') return embed(task)
  if (task.do === 'recognise') return recognise(task)
  hasLoaded()
  return grouped(task)
}

process.on('message', (task: Task) => {
  workOn(task).then(
    result => reply({ result }),
    error => reply({ error: String(error?.message ?? error) }),
  )
})
// The service has ended.
process.on('disconnect', () => process.exit())

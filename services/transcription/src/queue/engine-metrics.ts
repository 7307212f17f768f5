import { counter, gauge, histogram } from '@voxscribe/service'

/** Metrics that `@voxscribe/speech` sets. */
export const engineMetrics = {
  engineRatio: histogram({
    name: 'transcription_engine_realtime_ratio',
    help: 'Seconds that a speech engine takes for a second of audio',
    labelNames: ['engine'],
    buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 0.75, 1, 1.5, 2, 4],
  }),
  phantoms: counter({
    name: 'transcription_phantom_segments_total',
    help: 'Segments with words that were left out, as nobody has said them',
    labelNames: ['engine', 'why'],
  }),
  workersKilled: counter({
    name: 'transcription_speech_workers_killed_total',
    help: 'Speech workers that the system killed, as it does when memory runs out',
  }),
  modelsUnusable: counter({
    name: 'transcription_models_unusable_total',
    help: 'Model files that are there and cannot be loaded',
    labelNames: ['model'],
  }),
  modelEnds: gauge({
    name: 'transcription_model_ends_timestamp_seconds',
    help: 'When the provider ends the model in use, where it has published that',
    labelNames: ['model'],
  }),
}

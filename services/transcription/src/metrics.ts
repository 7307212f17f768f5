import { counter, gauge, histogram } from '@voxscribe/service'

export const stageSeconds = histogram({
  name: 'transcription_stage_duration_seconds',
  help: 'Time of a stage of a note, without waiting for it',
  labelNames: ['stage'],
  buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60, 300, 1800],
})
export const queueSeconds = histogram({
  name: 'transcription_queue_wait_seconds',
  help: 'Time that a note which was due waited in the queue of a step',
  labelNames: ['step'],
  buckets: [0.1, 0.5, 1, 5, 20, 60, 300, 1800, 7200],
})
export const beyondEngine = histogram({
  name: 'transcription_beyond_engine_seconds',
  help: 'From the arrival of a note to its text, without the time that its engine took',
  buckets: [1, 2.5, 5, 15, 60, 300, 1800, 7200],
})
export const engineRatio = histogram({
  name: 'transcription_engine_realtime_ratio',
  help: 'Seconds that a speech engine takes for a second of audio',
  labelNames: ['engine'],
  buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 0.75, 1, 1.5, 2, 4],
})
export const engineCost = counter({
  name: 'transcription_engine_cost_dollars_total',
  help: 'What calls of speech engines have cost, by their published prices; with those that may be billed, as they broke off',
  labelNames: ['engine', 'model'],
})
export const textModelCost = counter({
  name: 'text_model_cost_dollars_total',
  help: 'What calls of the text model have cost, by TEXT_PRICE or its published price; with those that may be billed, as they broke off',
  labelNames: ['model'],
})
export const textModelTokens = counter({
  name: 'text_model_tokens_total',
  help: 'Tokens of calls of the text model, as it counts them',
  labelNames: ['model', 'kind'],
})
export const spentDollars = gauge({
  name: 'model_spent_dollars',
  help: 'What engines and the text model have cost today (UTC), in all processes; only with MODEL_BUDGET',
})
export const budgetDollars = gauge({
  name: 'model_budget_dollars',
  help: 'What engines and the text model may cost a day: MODEL_BUDGET; 0: no limit',
})
export const modelEnds = gauge({
  name: 'transcription_model_ends_timestamp_seconds',
  help: 'When the provider ends the model in use, where it has published that',
  labelNames: ['model'],
})
export const phantoms = counter({
  name: 'transcription_phantom_segments_total',
  help: 'Segments with words that were left out, as nobody has said them',
  labelNames: ['engine', 'why'],
})
export const workersKilled = counter({
  name: 'transcription_speech_workers_killed_total',
  help: 'Speech workers that the system killed, as it does when memory runs out',
})
export const modelsUnusable = counter({
  name: 'transcription_models_unusable_total',
  help: 'Model files that are there and cannot be loaded',
  labelNames: ['model'],
})
export const notesEnded = counter({
  name: 'transcription_notes_total',
  help: 'Notes that came to an end',
  labelNames: ['outcome'],
})
// From 0 on: what first appears as 1 is no increase to Prometheus, and its alert would stay silent.
for (const outcome of ['completed', 'silent', 'same', 'failed']) notesEnded.inc({ outcome }, 0)

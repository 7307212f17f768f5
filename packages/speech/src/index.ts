// This package turns audio into text for any process. It has no database, events or HTTP server.
export type { Clip, Ffmpeg } from './audio/ffmpeg.ts'
export { SAMPLE_RATE, type Span } from './audio/levels.ts'
export { LONG_SILENCE_SECONDS, lengthOfAll, OVERLAP_SECONDS } from './audio/pieces.ts'
export { bytesOf, outputOf } from './audio/program.ts'
export { bordersOf, type Sound, type Sounds, spansOf } from './audio/sounds.ts'
export type { HeardTrack } from './audio/tracks.ts'
export { type Engines, firstThatServes, isEngine, knows } from './engines/choice.ts'
export {
  type Engine,
  meanConfidence,
  SHORT_NOTE_SECONDS,
  type SkippedEngine,
  type Word,
} from './engines/engine.ts'
export { EngineEntry } from './engines/entry.ts'
export { KINDS } from './engines/kinds.ts'
export { REPLACEMENT_MODEL } from './engines/known-models.ts'
export { engineList, isHostedKind, notesAtOnce, retiringModels, sourceOf } from './engines/list.ts'
export { withoutOverlaps, withoutTail } from './engines/overlaps.ts'
export { EngineGone, NotNow, Unworkable } from './errors.ts'
export { agreeing, commonRuns } from './hearing/agreement.ts'
export { joined, listenTo, silence } from './hearing/listen-to.ts'
export { type Loop, UNSURE, withoutLoops } from './hearing/loops.ts'
export { withOrderedTimes } from './hearing/order.ts'
export { turnsOfSides } from './hearing/sides.ts'
export {
  atSentences,
  inTurns,
  keepingNames,
  rejoined,
  type SpeakerTurn,
  speakerIn,
  speakersOf,
} from './hearing/speaker-turns.ts'
export type { SavedPart, Segment, Speaker, Speech, UsedEngine } from './hearing/speech.ts'
export type { Voices } from './hearing/voices.ts'
export { createNativePool } from './local-model/pool.ts'
export type { ModelFiles } from './local-model/protocol.ts'
export { fetchModel, fetchNeeded, say } from './models/fetch.ts'
export { type Models, modelsOf } from './models/folder.ts'
export { DEFAULT, DETECTOR, MODELS, type Model, modelNamed, VOICES } from './models/table.ts'
export { onPath } from './on-path.ts'
export { memoryLeft, openSpeech } from './open-speech.ts'
export { CORES } from './settings.ts'

/** Imports OpenAI's library, which is large, only when it is needed. */
export const openAiClient = () => import('./engines/openai-client.ts')

export { createTurns, within } from '@voxscribe/messaging'
export { type Blobs, blobSettings, openBlobs } from './blobs.ts'
export {
  baseSettings,
  chatProviderSettings,
  httpSettings,
  publicUrl,
  supportEmail,
} from './common-settings.ts'
export {
  type Built,
  defineService,
  defineStateless,
  type Job,
  type Neighbours,
  type Parts,
} from './definition.ts'
export { claimOnce, insertOnce, keepNewest } from './document-writes.ts'
export { type Documents, isDatabaseAway, isDuplicateKey, schemaOf, type WithOutbox } from './documents.ts'
export { refuseOtherMethods, sendProblem } from './http.ts'
export { type Listening, LONGEST_REQUEST_MS, listen } from './listen.ts'
export { createLog, currentTrace, type Logger, withTrace } from './log.ts'
export { runAsProcess, stopOnSignal } from './main.ts'
export { type Management, startManagement } from './management.ts'
export { busObserver, counter, gauge, histogram, timedWebhook } from './metrics.ts'
export { networkOf } from './networks.ts'
export {
  badGateway,
  conflict,
  gone,
  invalid,
  invalidField,
  notFound,
  Problem,
  partAway,
  rateLimited,
  unauthorized,
  unavailable,
} from './problem.ts'
export { agentsFor } from './public-agents.ts'
export type { RateLimit, RateLimits } from './rate-limits.ts'
export { checked, implement, type Reply, type Route } from './routes.ts'
export { type RunningService, runService, type Shared } from './run-service.ts'
export {
  checkSettings,
  duration,
  type Environment,
  onOff,
  origin,
  pem,
  port,
  type Rate,
  rate,
  readSettings,
  SettingsError,
  shapeOf,
  trustProxy,
  url,
  whole,
} from './settings.ts'
export { deleteLeftovers, type TemporaryPlace, temporaryPlace } from './temporary.ts'
export { endOfToken, keyId, publicJwk, TOKEN_AUDIENCE, TOKEN_ISSUER } from './tokens.ts'
export { inSpan } from './tracing.ts'

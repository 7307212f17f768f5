export { createOneByOne, within } from '@voxscribe/messaging'
export { askDatabase } from './database/ask-database.ts'
export {
  type Blobs,
  type ByteRange,
  blobChecks,
  blobSettings,
  isStorageAway,
  openBlobs,
  playedKeyOf,
  StorageAway,
} from './database/blobs.ts'
export { claimOnce, inFreePlace, insertOnce, keepNewest } from './database/document-writes.ts'
export { type Documents, deleteAll, schemaOf } from './database/documents.ts'
export { isDatabaseAway, isDiskFull, isDuplicateKey } from './database/errors.ts'
export { type Held, type Hold, HoldLost, type Lease } from './database/hold.ts'
export { createOnce } from './database/once.ts'
export { openOnce } from './database/open-once.ts'
export type { WithOutbox } from './database/outbox.ts'
export { createWorkLoop } from './database/work-loop.ts'
export { createBodySlots } from './http/body-slots.ts'
export { withBodyTimeout } from './http/body-timeout.ts'
export { boundedFetch, REFUSAL_BYTES_MAX } from './http/bounded-fetch.ts'
export { eventText, setEventHeaders } from './http/event-stream.ts'
export { leftSignal, refuseOtherMethods, sendProblem, whenAnswered } from './http/http.ts'
export { type Listening, LONGEST_REQUEST_MS, listen } from './http/listen.ts'
export { networkOf } from './http/networks.ts'
export { invalid, invalidField, limitReached, Problem, refusal, refusedFor } from './http/problem.ts'
export { agentsFor, isInternal, publicAgents } from './http/public-agents.ts'
export type { RateLimit, RateLimits } from './http/rate-limits.ts'
export { keepRawBody } from './http/raw-body.ts'
export { checked, implement, type Reply, type Route } from './http/routes.ts'
export { hashOf, isSame, newSecret } from './http/secrets.ts'
export { sendStream } from './http/send-stream.ts'
export { type AccessClaims, isOutdated, renewalIn, TOKEN_AUDIENCE, TOKEN_ISSUER } from './http/tokens.ts'
export { type Check, check, type Finding, ok, onlyWith, skipped, wrong } from './observe/check.ts'
export { createLog, currentTrace, type Logger, withTrace } from './observe/log.ts'
export { counter, gauge, histogram, timedWebhook } from './observe/metrics.ts'
export { inSpan } from './observe/tracing.ts'
export type { AdminCall } from './run/admin.ts'
export type { Figures } from './run/admin-page.ts'
export type { ClosedAccounts } from './run/closed-accounts.ts'
export {
  type Built,
  defineService,
  defineStateless,
  type Job,
  type LocalServices,
  type Parts,
} from './run/definition.ts'
export { isRestarting, stopOnSignal } from './run/ending.ts'
export { runAsProcess } from './run/main.ts'
export { type Management, startManagement } from './run/management.ts'
export { openBus, type RunningService, runService, type Shared } from './run/run-service.ts'
export {
  deleteLeftovers,
  keepTemporaryFilesIn,
  type TemporaryPlace,
  temporaryFolder,
  temporaryPlace,
} from './run/temporary.ts'
export { createUnderWay } from './run/under-way.ts'
export {
  baseSettings,
  chatAddressSettings,
  chatProviderChecks,
  chatProviderSettings,
  chatUrlOf,
  deadLetterTtl,
  hasPasskeys,
  hooksAllowPrivate,
  httpSettings,
  numberIdsOf,
  type Offer,
  offerOf,
  offerSettings,
  oidcSettings,
  publicUrl,
  retentionDays,
  serviceUrl,
  signUp,
  supportEmail,
  textModel,
} from './settings/common-settings.ts'
export { areOnP256, keyId, publicKeys } from './settings/keys.ts'
export {
  checkSettings,
  duration,
  type Environment,
  onOff,
  origin,
  origins,
  pem,
  port,
  type Rate,
  rate,
  readFiles,
  readSettings,
  SettingsError,
  shapeOf,
  trustProxy,
  url,
  whole,
} from './settings/settings.ts'

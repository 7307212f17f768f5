export { serve, startProxy } from '@voxscribe/messaging/testing'
export { openDocuments } from './database/documents.ts'
export { forAll, startAlone } from './testing/alone.ts'
export {
  eventually,
  idleHandlers,
  silentLog,
  startTestBackings,
  type TestBackings,
  type TestBus,
  testBus,
  testKeys,
  tokenFor,
} from './testing/backings.ts'
export { startCollector } from './testing/collector.ts'
export { withJobs } from './testing/jobs.ts'
export { type AnswerWay, createMemory, type Memory } from './testing/memory-documents.ts'
export { drained, must, mustEqual, schedules } from './testing/schedules.ts'

import { forgedWebhookCases } from './cases/forged-webhooks.ts'
import { hostileInputCases } from './cases/hostile-input.ts'
import { noteToTextCases } from './cases/note-to-text.ts'
import { startOneProcess } from './testing/one-process.ts'
import type { System } from './testing/system.ts'

describe('everything in one process', () => {
  let system: System
  beforeAll(async () => {
    system = await startOneProcess()
  }, 90_000)
  afterAll(() => system?.remove())

  noteToTextCases(() => system)
  forgedWebhookCases(() => system)
  hostileInputCases(() => system)
})

import type { Env, System } from '../testing/system.ts'
import { startTwilio, type Twilio } from '../testing/twilio.ts'
import { chatCase } from './chat.ts'
import { claimedNumberCases } from './claimed-numbers.ts'
import { erasureCase, type Stores } from './erasure.ts'
import { exportCase } from './export.ts'
import { generationCases } from './generations.ts'
import { hookCases } from './hooks.ts'
import { keptAudioCases } from './kept-audio.ts'
import { noteToTextCases } from './note-to-text.ts'
import { shareCase } from './share.ts'
import { telegramCases } from './telegram.ts'

/** Registers the cases that hold for every kind of start, with the system's start and stop. */
export function casesOn(
  start: (env: Env) => Promise<System>,
  storesOf?: (system: () => System) => Stores,
): void {
  let system: System
  let twilio: Twilio
  beforeAll(async () => {
    twilio = await startTwilio()
    // The hooks' receiver is on this machine.
    system = await start({ HOOKS_ALLOW_PRIVATE: 'on', ...twilio.settings })
  })
  afterAll(async () => {
    await system?.remove()
    await twilio?.stop()
  })

  describe('in the chat', () => chatCase(() => system))
  // Each of these signs up a new person.
  describe('by a link', () => shareCase(() => system))
  describe('from a note to its text', () => noteToTextCases(() => system))
  describe('on four channels', () =>
    telegramCases(
      () => system,
      () => twilio,
    ))
  keptAudioCases(() => system)
  exportCase(() => system)
  claimedNumberCases(() => system)
  hookCases(() => system)
  generationCases(() => system)
  const stores = storesOf?.(() => system)
  if (stores) erasureCase(() => system, stores)
}

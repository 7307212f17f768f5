import { startCountingEngine } from '../testing/counting-engine.ts'
import { eventually } from '../testing/eventually.ts'
import { startOneProcess } from '../testing/one-process.ts'
import { signUp } from '../testing/person.ts'
import { speechOf } from '../testing/speech.ts'
import type { System } from '../testing/system.ts'

describe('when a signal to stop reaches every process of the group', () => {
  let engine: Awaited<ReturnType<typeof startCountingEngine>>
  let system: System
  let paths: string[]
  beforeAll(async () => {
    // Long enough that ffmpeg is running when the signal arrives.
    const lengths = [1, 2, 3, 4].map(index => 300 + index * 7.3)
    paths = await Promise.all(lengths.map(seconds => speechOf(seconds, `long-${seconds}.ogg`)))
  })
  beforeEach(async () => {
    engine = await startCountingEngine(1_000)
    system = await startOneProcess(engine.settings)
  })
  afterEach(async () => {
    await system?.remove()
    await engine?.stop()
  })

  test.each(['SIGTERM', 'SIGINT'] as const)(
    'by %s while notes are decoded, then all of them are text after the next start',
    async signal => {
      const person = await signUp(system)
      await Promise.all(paths.map(path => person.sendNote(path, { voice: true })))
      const areInHand = async () => (await person.transcriptions()).statistics.processing === 4
      await eventually('the notes are in hand', areInHand)
      await system.signalGroups(signal)
      await system.start()
      const notes = await person.ended(4)
      expect(notes.map(({ status, error }) => ({ status, error }))).toEqual(
        Array(4).fill({ status: 'completed', error: null }),
      )
    },
  )
})

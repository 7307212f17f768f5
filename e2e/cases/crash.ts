import { eventually } from '../testing/eventually.ts'
import { startOneProcess } from '../testing/one-process.ts'
import { signUp } from '../testing/person.ts'
import { recognised, SENTENCE, voiceNote, wordsOf } from '../testing/speech.ts'
import type { System } from '../testing/system.ts'

/** Ends the process while it recognizes a note, and restarts it. */
export function crashCase(how: 'kill' | 'stop'): void {
  let system: System
  beforeEach(async () => {
    system = await startOneProcess({ SPHINX_COMMAND: 'pocketsphinx_continuous', NOTE_LEASE: '1s' })
  })
  afterEach(() => system?.remove())

  test(`when the process ends by a ${how} during recognition, then after a start there is exactly one result`, async () => {
    const person = await signUp(system)
    await person.sendNote(await voiceNote(), { voice: true })
    const isInHand = async () => (await person.transcriptions()).statistics.processing === 1
    await eventually('the note is in hand', isInHand)
    await system[how]()
    await system.start()
    const [note] = await person.ended(1)
    expect(note?.status).toBe('completed')
    expect(recognised(wordsOf(SENTENCE), note?.text ?? '')).toBeGreaterThanOrEqual(0.6)
    expect(await person.replies(1)).toHaveLength(1)
    expect((await person.transcriptions()).statistics).toMatchObject({ total: 1, completed: 1 })
  })
}

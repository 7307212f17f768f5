import { signUp } from '../testing/person.ts'
import { recognised, SENTENCE, voiceNote, wordsOf } from '../testing/speech.ts'
import type { System } from '../testing/system.ts'

/** The main path: a voice note in the chat is answered with its words, which are in the history, and charged. */
export function chatCase(system: () => System): void {
  test('when a voice note is sent, then its words are in the history and in the quoting answer', async () => {
    const person = await signUp(system())
    const sent = await person.sendNote(await voiceNote(), { voice: true })
    const [note] = await person.ended(1)
    const [reply] = await person.replies(1)
    const said = wordsOf(SENTENCE)
    expect(note).toMatchObject({ status: 'completed', error: null, audioLength: '6s' })
    expect(recognised(said, note?.text ?? '')).toBeGreaterThanOrEqual(0.6)
    expect(recognised(said, reply?.text ?? '')).toBeGreaterThanOrEqual(0.6)
    expect(reply?.quoted?.id).toBe(sent.id)
    expect(reply?.text).toMatch(/\n\n_0:06 · English · 29\.9 minutes left_/)
    const plan = { plan: 'free', subscription_minutes: 30, used_minutes: 0.1 }
    expect(await person.charged()).toMatchObject(plan)
  })
}

import { setTimeout as delay } from 'node:timers/promises'
import { eventually } from '../testing/eventually.ts'
import { signUp } from '../testing/person.ts'
import { recognised, SENTENCE, voiceNote, wordsOf } from '../testing/speech.ts'
import type { System } from '../testing/system.ts'

/** A number that an account claims in its profile, and its real owner. */
export function claimedNumberCases(system: () => System): void {
  test("when a number's owner says NO, then the note leaves the claimant and goes to the person who proves the number", async () => {
    // All chat messages are from the owner; the claiming account sends none.
    const claimant = await signUp(system())
    await claimant.sendNote(await voiceNote('not-yours.ogg'), { voice: true })
    await claimant.ended(1)
    const question = await claimant.told(/Not yours\? Answer NO/)
    expect(question.text).not.toContain(claimant.email)
    await claimant.charged()

    // A NO that arrives before the event about its question is an ordinary text, so it is repeated until thanked.
    await eventually('the chat says that the notes were removed', async () => {
      await claimant.sendText('No')
      await delay(1_000)
      const texts = (await claimant.messages()).map(({ text }) => text ?? '')
      return texts.some(text => /removed from that account.*kept for 7 days/s.test(text))
    })
    await eventually('the note has left the account, with its minutes', async () => {
      expect((await claimant.transcriptions()).statistics.total).toBe(0)
      expect(await claimant.plan()).toMatchObject({ used_minutes: 0, remaining_minutes: 30 })
    })
    const { text } = await claimant.mail(/was removed/)
    expect(text.replace(/(?<=\d) (?=\d)/g, '')).toContain(`+${claimant.number}`)

    const owner = await signUp(system())
    await claimant.sendText(owner.user.link_code ?? '')
    const [note] = await owner.ended(1)
    expect(note).toMatchObject({ status: 'completed', source: 'whatsapp' })
    expect(recognised(wordsOf(SENTENCE), note?.text ?? '')).toBeGreaterThanOrEqual(0.6)
    await eventually('its text is in the chat once more', async () => {
      const answers = (await claimant.messages()).filter(
        ({ direction, quoted }) => direction === 'in' && quoted?.id === question.quoted?.id,
      )
      return answers.length > 1
    })
    await owner.charged()
    expect((await claimant.transcriptions()).statistics.total).toBe(0)
    expect(await claimant.plan()).toMatchObject({ used_minutes: 0 })
  })
}

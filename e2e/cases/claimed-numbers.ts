import axios from 'axios'
import { eventually } from '../testing/eventually.ts'
import { type ChatMessage, signUp } from '../testing/person.ts'
import { recognised, SENTENCE, voiceNote, wordsOf } from '../testing/speech.ts'
import type { System } from '../testing/system.ts'

const PATIENCE_MS = 180_000

/** A number that an account claims in its profile, and its real owner. */
export function claimedNumberCases(system: () => System): void {
  const mailsTo = async (email: string): Promise<{ subject: string; text: string }[]> =>
    (await axios.get(`${system().sandboxUrl}/api/mail`, { params: { to: email } })).data.mails
  const told = (messages: () => Promise<ChatMessage[]>, words: RegExp) =>
    eventually(`the chat says ${words}`, 60_000, async () => {
      const found = (await messages()).find(
        ({ direction, text }) => direction === 'in' && words.test(text ?? ''),
      )
      if (!found) throw new Error('it does not')
      return found
    })

  test(
    "when a number's owner says NO, then the note leaves the claimant and reaches who proves it",
    async () => {
      // All chat messages are the owner's; the claiming account sends none.
      const claimant = await signUp(system())
      await claimant.sendNote(await voiceNote('not-yours.ogg'), { voice: true })
      await claimant.ended(1)
      const question = await told(claimant.messages, /Not yours\? Answer NO/)
      expect(question.text).not.toContain(claimant.email)
      await eventually('the note is charged', 60_000, async () => {
        if ((await claimant.plan()).used_minutes === 0) throw new Error('it is not')
      })

      await claimant.sendText('No')
      await told(claimant.messages, /removed from that account.*kept for 7 days/s)
      await eventually('the note has left the account, with its minutes', 60_000, async () => {
        const { statistics } = await claimant.transcriptions()
        const { used_minutes, remaining_minutes } = await claimant.plan()
        expect({ total: statistics.total, used_minutes, remaining_minutes }).toEqual({
          total: 0,
          used_minutes: 0,
          remaining_minutes: 30,
        })
      })
      const mail = await eventually('the claimant has a mail', 60_000, async () => {
        const found = (await mailsTo(claimant.email)).find(({ subject }) => /was removed/.test(subject))
        if (!found) throw new Error('there is none')
        return found
      })
      expect(mail.text).toContain(`+${claimant.number}`)

      const owner = await signUp(system())
      await claimant.sendText(owner.user.link_code)
      const [note] = await owner.ended(1)
      expect(note).toMatchObject({ status: 'completed', source: 'whatsapp' })
      expect(recognised(wordsOf(SENTENCE), note?.text ?? '')).toBeGreaterThanOrEqual(0.6)
      await eventually('its text is in the chat once more', 60_000, async () => {
        const answers = (await claimant.messages()).filter(
          ({ direction, quoted }) => direction === 'in' && quoted?.id === question.quoted?.id,
        )
        if (answers.length < 2) throw new Error(`there are ${answers.length}`)
      })
      await eventually('the owner is charged', 60_000, async () => {
        if ((await owner.plan()).used_minutes === 0) throw new Error('they are not')
      })
      expect((await claimant.transcriptions()).statistics.total).toBe(0)
      expect(await claimant.plan()).toMatchObject({ used_minutes: 0 })
    },
    PATIENCE_MS,
  )
}

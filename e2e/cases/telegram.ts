import { eventually } from '../testing/eventually.ts'
import { chatOf, newNumber, type Person, signUp } from '../testing/person.ts'
import { recognised, SENTENCE, voiceNote, wordsOf } from '../testing/speech.ts'
import type { System } from '../testing/system.ts'
import type { Twilio } from '../testing/twilio.ts'

/** Links the chat of a Telegram user with the message that the dashboard's link sends. */
export async function linkTelegram(system: System, { http }: Person, id = newNumber()) {
  const chat = chatOf(system, id, 'telegram')
  const { user } = (await http.get('/users/profile')).data.data
  await chat.sendText(`/start ${user.link_code}`)
  await chat.told(/now linked to Ada’s account/)
  return chat
}

/** One person on four channels: Telegram, WhatsApp, WhatsApp via Twilio, and the page. */
export function telegramCases(system: () => System, twilio: () => Twilio): void {
  let person: Person
  let telegram: ReturnType<typeof chatOf>
  beforeEach(async () => {
    person = await signUp(system())
    telegram = await linkTelegram(system(), person)
  })
  const isHeard = (text: string | null | undefined) => recognised(wordsOf(SENTENCE), text ?? '') >= 0.6

  test('when notes arrive by Telegram, WhatsApp, Twilio and the page, then each is answered there, from one balance', async () => {
    await eventually('the page offers the bot', async () => {
      const { data } = await person.open.get('/config')
      return (
        data.data.telegramUrl?.endsWith(`:${new URL(system().sandboxUrl).port}/t.me/voxscribe_bot`) ?? false
      )
    })
    const [first, second, third, fourth] = [
      await voiceNote('first.ogg'),
      await voiceNote('second.ogg'),
      await voiceNote('third.ogg'),
      await voiceNote('fourth.ogg'),
    ]
    const [byTelegram, byWhatsApp, uploaded] = await Promise.all([
      telegram.sendNote(first, { voice: true, repeat: 2 }),
      person.sendNote(second, { voice: true }),
      person.upload(third),
      twilio().sendNote(system().appUrl, person.number, fourth),
    ])
    expect(uploaded.status).toBe(201)
    const notes = await person.ended(4)
    expect(notes.map(({ source, status, text }) => [source, status, isHeard(text)]).sort()).toEqual(
      ['telegram', 'twilio', 'web', 'whatsapp'].map(source => [source, 'completed', true]),
    )
    expect(isHeard((await telegram.replyTo(byTelegram)).text)).toBe(true)
    expect(isHeard((await person.replyTo(byWhatsApp)).text)).toBe(true)
    await eventually('Twilio has an answer', async () => twilio().textsTo(person.number).some(isHeard))
    expect((await telegram.messages()).filter(({ text }) => isHeard(text))).toHaveLength(1)
    await eventually('one purse has paid for all', async () => {
      expect(await person.plan()).toMatchObject({ used_minutes: 0.4, remaining_minutes: 29.6 })
    })
  })

  test('when a button is pressed below a deleted note, then the chat says so', async () => {
    const sent = await telegram.sendNote(await voiceNote(), { voice: true })
    await telegram.replyTo(sent)
    // A reply to the person's own command is about the same note.
    const asked = await telegram.sendText('srt', sent.id)
    await telegram.replyTo(asked)
    expect((await telegram.replyTo(await telegram.sendText('txt', asked.id))).file?.name).toMatch(/\.txt$/)
    const offer = await telegram.replyTo(await telegram.sendText('xyzzy plugh', sent.id))
    expect(offer.buttons.map(({ id }) => id)).toContain('txt')
    const [note] = await person.ended(1)
    expect((await person.http.delete(`/transcriptions/${note?.id}`)).status).toBe(200)
    await telegram.press('txt', offer)
    await telegram.told(/can’t find/)
  })
}

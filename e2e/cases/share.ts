import { signUp } from '../testing/person.ts'
import { recognised, SENTENCE, voiceNote, wordsOf } from '../testing/speech.ts'
import type { System } from '../testing/system.ts'

/** A note shared in the chat can be read by its link until its owner revokes it. */
export function shareCase(system: () => System): void {
  test('when a note is shared in the chat, then its link works without an account until it is revoked', async () => {
    const person = await signUp(system())
    await person.sendNote(await voiceNote(), { voice: true })
    const [note] = await person.ended(1)
    await person.replies(1)
    await person.sendText('Teilen')
    const [, reply] = await person.replies(2)
    const [, origin, token] = /(http\S+)\/s\/([\w-]{43})/.exec(reply?.text ?? '') ?? []
    expect(origin).toBe(system().appUrl)
    const read = () => person.open.get(`/shared/${token}`)
    const { status, data } = await read()
    expect(status).toBe(200)
    expect(recognised(wordsOf(SENTENCE), data.data.text)).toBeGreaterThanOrEqual(0.6)
    const item = await person.http.get(`/transcriptions/${note?.id}`)
    expect(item.data.data.transcription.share).toMatchObject({ views: 1, audio: false })
    expect((await person.http.delete(`/transcriptions/${note?.id}/share`)).status).toBe(200)
    expect((await read()).status).toBe(404)
  })
}

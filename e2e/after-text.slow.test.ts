import { startCountingEngine } from './testing/counting-engine.ts'
import { eventually } from './testing/eventually.ts'
import { startOneProcess } from './testing/one-process.ts'
import { signUp } from './testing/person.ts'
import { voiceNote } from './testing/speech.ts'
import { startTextModel } from './testing/text-model.ts'

test('when there is a text model, then notes are summarized and translated, on the page and in the chat', async () => {
  const [speech, model] = [await startCountingEngine(0), await startTextModel()]
  const system = await startOneProcess({ ...speech.settings, ...model.settings })
  try {
    const person = await signUp(system)
    expect((await person.open.get('/config')).data.data.textModel).toBe(true)
    await person.http.post('/users/update-profile', { gist: 'all' })
    const sent = await person.sendNote(await voiceNote(), { voice: true })
    const [note] = await person.ended(1)
    const at = `/transcriptions/${note?.id}`
    const lines = ['About: It was the season of light.']
    const asked = await eventually('the gist', async () => {
      const { data } = await person.http.post(`${at}/gist`)
      if (!data.success) throw new Error(data.message)
      return data.data.transcription
    })
    expect(asked.gist).toMatchObject({ lines, model: 'stand-in', stale: false })
    const { data } = await person.http.post(`${at}/translations`, { language: 'es' })
    expect(data.data.transcription.translations[0].segments[0].text).toBe('ES It was the season of light.')
    const file = await person.http.get(`${at}/export`, { params: { format: 'srt', language: 'es' } })
    expect(file.data).toContain('ES It was the season of light.')

    const told = async (words: string) => {
      const reply = await person.replyTo(await person.sendText(words, sent.id))
      return reply.text
    }
    expect(await told('summary')).toContain('• Wait for spring (March 20, 2027)')
    // The reply may also name the spoken language.
    expect(await told('en español')).toContain('Do you want this note translated into Spanish')
    expect(await told('translate into Spanish')).toContain('ES It was the season of light.')
    expect(await told('help')).toContain('*summary*')

    const question = await person.replyTo(await person.sendText('I see it as chapter Spring', sent.id))
    expect(question.text).toBe('Shall I name this note “Spring”?')
    expect((await person.replyTo(await person.press('yes', question))).text).toBe(
      'The title is now “Spring”.',
    )
    expect(await told('what became of my allotment')).toMatch(/^You have [\d.]+ minutes left/)
    expect(await told('see you at the station')).toMatch(/^I didn’t understand that\./)
  } finally {
    await system.remove()
    await speech.stop()
    model.stop()
  }
})

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { startCountingEngine } from './testing/counting-engine.ts'
import { eventually } from './testing/eventually.ts'
import { startOneProcess } from './testing/one-process.ts'
import { signUp } from './testing/person.ts'
import { voiceNote } from './testing/speech.ts'

/** A text model with OpenAI's protocol: sums up with one line and a task, and translates by a mark before each passage. */
async function startTextModel() {
  const server = createServer(async (request, response) => {
    const { messages } = JSON.parse(await text(request))
    const { transcript, segments } = JSON.parse(messages[1].content)
    const gist = { lines: [`About: ${transcript}`], tasks: [{ text: 'Wait for spring', due: '2027-03-20' }] }
    const translation = segments?.map(({ id, text }: { id: string; text: string }) => ({
      id,
      text: `ES ${text}`,
    }))
    const content = JSON.stringify(segments ? { segments: translation, language: 'Spanish' } : gist)
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ choices: [{ index: 0, message: { role: 'assistant', content } }] }))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    settings: {
      TEXT_MODEL: 'stand-in',
      TEXT_BASE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    },
    stop: () => server.close(),
  }
}

test('when there is a text model, then notes are summed up and translated, on the page and in the chat', async () => {
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
    // In a reply that may also name the language that was spoken.
    expect(await told('en español')).toContain('Shall I translate this note into Spanish')
    expect(await told('translate into Spanish')).toContain('ES It was the season of light.')
    expect(await told('help')).toContain('*summary*')
  } finally {
    await system.remove()
    await speech.stop()
    model.stop()
  }
})

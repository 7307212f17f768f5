import { text } from 'node:stream/consumers'
import { serve } from '@voxscribe/messaging/testing'
import { startOneProcess } from './testing/one-process.ts'
import { type Person, signUp } from './testing/person.ts'
import { recognised, SENTENCE, speechOf, wordsOf } from './testing/speech.ts'
import type { System } from './testing/system.ts'

// OpenAI as of 2027-02-26, without `whisper-1` and the `gpt-4o` models.

const SAID = 'It was the season of light.'
const TEXT_MODEL = 'gpt-4o-mini'

/** Starts OpenAI's API as of that day. */
async function startTheDayAfter() {
  const server = await serve(async (request, response) => {
    const body = await text(request)
    const [, model = ''] = /name="model"\r\n\r\n([^\r]+)|"model":"([^"]+)"/.exec(body)?.filter(Boolean) ?? []
    const isGone = /^(whisper-1|gpt-4o)/.test(model)
    const error = {
      message: `The model \`${model}\` does not exist or you do not have access to it.`,
      type: 'invalid_request_error',
      param: null,
      code: 'model_not_found',
    }
    response.writeHead(isGone ? 404 : 200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(isGone ? { error } : { text: SAID, languages: [{ code: 'en' }] }))
  })
  return { baseUrl: `${server.url}/v1`, stop: server.stop }
}

describe('when OpenAI has shut down the model', () => {
  let provider: Awaited<ReturnType<typeof startTheDayAfter>>
  let system: System
  let person: Person
  beforeAll(async () => {
    provider = await startTheDayAfter()
    const OPENAI_BASE_URL = provider.baseUrl
    const OPENAI = { OPENAI_API_KEY: 'sk-e2e', OPENAI_BASE_URL, OPENAI_MODEL: 'whisper-1' }
    // PocketSphinx stands in for all other engines.
    system = await startOneProcess({ SPEECH_ENGINE: 'auto', ...OPENAI, TEXT_MODEL })
    person = await signUp(system)
    await person.http.post('/users/update-profile', { gist: 'all' })
  })
  afterAll(async () => {
    await system?.remove()
    await provider?.stop()
  })
  const isHeard = (said: string | null | undefined) => recognised(wordsOf(SENTENCE), said ?? '') >= 0.5

  test('then a note in the chat is answered with its text, and with what is missing', async () => {
    const sent = await person.sendNote(await speechOf(6, 'chat.ogg'), { voice: true })
    expect(isHeard((await person.replyTo(sent)).text)).toBe(true)
    const [note] = await person.ended(1)
    expect(note).toMatchObject({ status: 'completed', titleFrom: 'text' })
    const { transcription } = (await person.http.get(`/transcriptions/${note?.id}`)).data.data
    expect(transcription.engine.name).toBe('sphinx')
    for (const [path, body] of [
      ['gist', {}],
      ['translations', { language: 'es' }],
    ] as const)
      expect((await person.http.post(`/transcriptions/${note?.id}/${path}`, body)).status).toBe(502)
    const summary = await person.replyTo(await person.sendText('summary', sent.id))
    expect(summary.text).toMatch(/./)
    const srt = await person.replyTo(await person.sendText('srt', sent.id))
    expect((await person.fileOf(srt)).toString()).toMatch(/^1\r?\n00:00:0\d,\d{3} --> /)
  })
})

import type { IncomingHttpHeaders } from 'node:http'
import { type Answers, startProviderFake } from './provider-fake.ts'

interface Received {
  headers: IncomingHttpHeaders
  form: FormData
}

/** A server that behaves like `POST /v1/audio/transcriptions`. */
export const startOpenAiFake = (...answers: Answers<Received>[]) =>
  startProviderFake(async (headers, body) => {
    const type = { 'content-type': headers['content-type'] ?? '' }
    return { headers, form: await new Response(new Uint8Array(body), { headers: type }).formData() }
  }, answers)

/** An error in OpenAI's format. */
export const openAiError = (status: number, code: string | null, type = 'invalid_request_error') => ({
  status,
  body: { error: { message: `${code}`, type, param: null, code } },
})

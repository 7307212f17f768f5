import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

interface Received {
  headers: IncomingHttpHeaders
  form: FormData
}
interface Answer {
  status?: number
  body: unknown
  headers?: Record<string, string>
}
type Answers = Answer | 'never' | ((form: FormData) => Promise<Answer>)

/**
 * A server that speaks as `POST /v1/audio/transcriptions` does: it keeps what it is sent and answers what it is told
 * to, in turn; the last answer is repeated.
 */
export async function startOpenAiFake(...answers: Answers[]) {
  const received: Received[] = []
  const server = createServer(async (request, response) => {
    const next = answers.length > 1 ? answers.shift() : answers[0]
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const headers = { 'content-type': request.headers['content-type'] ?? '' }
    const form = await new Response(Buffer.concat(chunks), { headers }).formData()
    received.push({ headers: request.headers, form })
    const answer = typeof next === 'function' ? await next(form) : next
    if (answer === 'never' || !answer) return
    response.writeHead(answer.status ?? 200, { 'content-type': 'application/json', ...answer.headers })
    response.end(JSON.stringify(answer.body))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    received,
    stop: () =>
      new Promise<void>(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** An error as OpenAI words it. */
export const openAiError = (status: number, code: string | null, type = 'invalid_request_error') => ({
  status,
  body: { error: { message: `${code}`, type, param: null, code } },
})

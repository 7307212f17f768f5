import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A request, as the model gets it. */
export interface Asked {
  headers: IncomingHttpHeaders
  model: string
  response_format: { type: string; json_schema?: { name: string; strict: boolean; schema: object } }
  messages: [{ role: 'system'; content: string }, { role: 'user'; content: string }]
}
interface Answer {
  status?: number
  headers?: Record<string, string>
  /** Written as it is, if it is a text. */
  body?: unknown
}
type Answers = Answer | 'never' | ((asked: Asked) => Answer)

/** An answer of the model with this content, in OpenAI's shape; of anything but a text, its JSON. */
export const says = (content: unknown): Answer => ({
  body: {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: typeof content === 'string' ? content : JSON.stringify(content),
          refusal: null,
        },
        finish_reason: 'stop',
      },
    ],
    usage: { prompt_tokens: 1000, completion_tokens: 100, total_tokens: 1100 },
  },
})

/** The data of a request: what people said. */
export const dataOf = ({ messages: [, user] }: Asked) => JSON.parse(user.content)

/** A server that speaks as `POST /chat/completions` does, and answers what it is told to; the last answer is repeated. */
export async function startTextModelFake() {
  let answers: Answers[] = []
  const asked: Asked[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const call = { headers: request.headers, ...JSON.parse(Buffer.concat(chunks).toString()) }
    asked.push(call)
    const next = answers.length > 1 ? answers.shift() : answers[0]
    const answer = typeof next === 'function' ? next(call) : next
    if (answer === 'never' || !answer) return
    const { status = 200, headers, body = '' } = answer
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    asked,
    /** Answers so from now on. */
    answers(...next: Answers[]): void {
      answers = next
      asked.length = 0
    },
    stop: () =>
      new Promise<void>(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

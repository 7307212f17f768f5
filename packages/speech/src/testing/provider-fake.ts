import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Answer {
  status?: number
  headers?: Record<string, string>
  /** A string is sent unchanged. */
  body?: unknown
}
export type Answers<Call> = Answer | 'never' | ((call: Call) => Answer | Promise<Answer>)

/** A provider's server: records the calls and returns its responses in order; the last one repeats. */
export async function startProviderFake<Call>(
  read: (headers: IncomingHttpHeaders, body: Buffer) => Call | Promise<Call>,
  answers: Answers<Call>[],
) {
  const received: Call[] = []
  const server = createServer(async (request, response) => {
    const next = answers.length > 1 ? answers.shift() : answers[0]
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const call = await read(request.headers, Buffer.concat(chunks))
    received.push(call)
    const answer = typeof next === 'function' ? await next(call) : next
    if (answer === 'never' || !answer) return
    const { status = 200, headers, body = '' } = answer
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
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

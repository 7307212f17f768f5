import type { IncomingHttpHeaders, RequestListener } from 'node:http'
import { text } from 'node:stream/consumers'
import { Transcription } from '@voxscribe/contracts/http'
import { samplesOf } from '@voxscribe/contracts/testing/samples-of'
import { eventually, serve, tokenFor } from '@voxscribe/service/testing'
import { Webhook } from 'standardwebhooks'

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

/** The calls of hooks, as people make them. */
export function hookCalls(app: { url: string }) {
  async function call(
    userId: string,
    method: Method,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ) {
    const response = await fetch(`${app.url}/api${path}`, {
      method,
      headers: { authorization: tokenFor(userId), 'content-type': 'application/json', ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    // biome-ignore lint/suspicious/noExplicitAny: the wire format is what the tests check
    return { status: response.status, body: (await response.json()) as any }
  }
  return {
    call,
    async create(userId: string, wanted: object = {}) {
      const hook = { url: 'https://example.com/hook', events: ['transcription.completed'], ...wanted }
      const { status, body } = await call(userId, 'POST', '/hooks', hook)
      if (status !== 201) throw new Error(`No hook was made: ${status} ${body.message}`)
      return body.data as { hook: { id: string }; secret: string }
    },
    /** A hook's deliveries, once there are that many and each was tried or is finished. */
    deliveries: (userId: string, hook: string, count = 1) =>
      eventually(async () => {
        const { deliveries } = (await call(userId, 'GET', `/hooks/${hook}/deliveries`)).body.data
        const isDone = deliveries.every(
          (each: { tries: number; status: string }) => each.tries || each.status === 'failed',
        )
        return deliveries.length >= count && isDone && deliveries
      }),
  }
}

/** All calls about one hook, with acceptable bodies. */
export const callsTo = (hook: string, delivery: string): [Method, string, unknown?][] => [
  ['PATCH', `/hooks/${hook}`, { enabled: true }],
  ['POST', `/hooks/${hook}/rotate`],
  ['POST', `/hooks/${hook}/test`],
  ['GET', `/hooks/${hook}/deliveries`],
  ['POST', `/hooks/${hook}/deliveries/${delivery}/again`],
  ['DELETE', `/hooks/${hook}`],
]

export interface Received {
  path: string
  headers: IncomingHttpHeaders
  body: string
}

/** A person's own server, which records requests and responds 200 unless a path has another response. */
export async function startReceiver() {
  const received: Received[] = []
  const answers = new Map<string, RequestListener>()
  const server = await serve(async (request, response) => {
    const { url: path = '', headers } = request
    received.push({ path, headers, body: await text(request) })
    const answer = answers.get(path) ?? ((_, response) => void response.end('thanks'))
    answer(request, response)
  })
  const at = (path: string) => received.filter(each => each.path === path)
  return {
    port: server.port,
    received,
    at,
    url: (path: string) => `${server.url}${path}`,
    answer: (path: string, answer: RequestListener) => void answers.set(path, answer),
    /** The messages at a path, once there are that many. */
    once: (path: string, count = 1) => eventually(() => at(path).length >= count && at(path)),
    stop: server.stop,
  }
}
export type Receiver = Awaited<ReturnType<typeof startReceiver>>

export const status =
  (code: number, headers: Record<string, string> = {}): RequestListener =>
  (_, response) =>
    void response.writeHead(code, headers).end(`This is ${code}`)

/** Reads a message with the public library. Throws unless it's signed with the secret. */
export const verified = ({ headers, body }: Received, secret: string) =>
  // biome-ignore lint/suspicious/noExplicitAny: the wire format is what the tests check
  new Webhook(secret).verify(body, headers as Record<string, string>) as any

/** A note as hooks get it. */
export const item = (id: string, more: Partial<Transcription> = {}): Transcription => ({
  ...(samplesOf(Transcription)[0] as Transcription),
  id,
  text: 'Hello world.',
  ...more,
})

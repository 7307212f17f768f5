import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/** How one request is answered. */
export type Answer = (response: ServerResponse, request: IncomingMessage) => void

export const json =
  (status: number, body: unknown): Answer =>
  response => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  }
export const bytes =
  (body: Uint8Array): Answer =>
  response => {
    response.writeHead(200, { 'content-length': body.length }).end(body)
  }
/** So many bytes without saying how many; it stops when no one listens any more. */
export const undeclared =
  (count: number): Answer =>
  response => {
    const chunk = Buffer.alloc(64 * 1024, 'a')
    const parts = function* () {
      for (let left = count; left > 0; left -= chunk.length)
        yield chunk.subarray(0, Math.min(left, chunk.length))
    }
    pipeline(Readable.from(parts()), response).catch(() => {})
  }
export const redirect =
  (location: string, status = 302): Answer =>
  response => {
    response.writeHead(status, { location }).end()
  }
/** Takes the request and says nothing. */
export const hang: Answer = () => {}
/** As Graph says no. */
export const graphError = (status: number, code: number, subcode?: number): Answer =>
  json(status, {
    error: {
      message: `(#${code}) no`,
      type: 'OAuthException',
      code,
      error_subcode: subcode,
      fbtrace_id: 'A',
    },
  })

/** Stands in for what media are fetched from: Graph, its file host, Twilio and the store behind it. */
export async function startMediaFake() {
  const scripts = new Map<string, Answer[]>()
  const requests: { path: string; method: string; headers: IncomingHttpHeaders }[] = []
  const deletions = new Map<string, number>()
  const server = createServer((request, response) => {
    const path = request.url ?? ''
    requests.push({ path, method: request.method ?? '', headers: request.headers })
    if (request.method === 'DELETE') return void response.writeHead(deletions.get(path) ?? 204).end()
    const answers = scripts.get(path) ?? []
    const answer = answers.length > 1 ? answers.shift() : answers[0]
    if (answer) answer(response, request)
    else json(404, {})(response, request)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const on = (path: string, ...answers: Answer[]) => scripts.set(path, answers)
  const infoPath = (mediaId: string) => `/v26.0/${mediaId}`
  const filePath = (mediaId: string) => `/files/${mediaId}`
  return {
    url,
    /** Sets the answers of a path, one after another; the last one stays. */
    on,
    /** How a deletion is answered; 204 otherwise. */
    onDelete: (path: string, status: number) => deletions.set(path, status),
    infoPath,
    filePath,
    /** Returns Graph's description of a medium. */
    info: (mediaId: string, more: object = {}): Answer =>
      json(200, { messaging_product: 'whatsapp', url: `${url}${filePath(mediaId)}`, id: mediaId, ...more }),
    /** A medium as Graph has it: behind its id, an address that wants the token. */
    medium(mediaId: string, body: Uint8Array, token: string) {
      on(
        infoPath(mediaId),
        json(200, { url: `${url}${filePath(mediaId)}`, file_size: `${body.length}`, id: mediaId }),
      )
      on(filePath(mediaId), (response, request) => {
        const isOurs = request.headers.authorization === `Bearer ${token}` && request.headers['user-agent']
        if (isOurs) bytes(body)(response, request)
        else json(401, {})(response, request)
      })
    },
    requestsTo: (path: string) => requests.filter(request => request.path === path),
    stop: async () => {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}
export type MediaFake = Awaited<ReturnType<typeof startMediaFake>>

/** A recording: a second of silence as WAV, made different by a number. */
export function recording(seed = 0, sampleBytes = 16_000): Buffer {
  const header = Buffer.alloc(44)
  header.write('RIFF', 0)
  header.writeUInt32LE(36 + sampleBytes, 4)
  header.write('WAVEfmt ', 8)
  header.writeUInt32LE(16, 16)
  header.writeUInt16LE(1, 20)
  header.writeUInt16LE(1, 22)
  header.writeUInt32LE(8_000, 24)
  header.writeUInt32LE(16_000, 28)
  header.writeUInt16LE(2, 32)
  header.writeUInt16LE(16, 34)
  header.write('data', 36)
  header.writeUInt32LE(sampleBytes, 40)
  return Buffer.concat([header, Buffer.alloc(sampleBytes, seed)])
}

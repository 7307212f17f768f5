import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'

export const CONTENT = Buffer.from('weights of a model, in many bytes. '.repeat(40_000))
export const digest = (content: Buffer) => createHash('sha256').update(content).digest('hex')

export type Misbehaviour = Partial<{
  /** Number of first responses that break off, after 500,000 bytes. */
  breaks: number
  hasNoRanges: boolean
  wrong: boolean
  status: number
}>

/** A server that behaves like Hugging Face: it redirects to another address, which supports ranges. */
export async function startHub(how: Misbehaviour = {}, tls?: { key: Buffer; cert: Buffer }) {
  const got: { url: string; range: string | undefined }[] = []
  let breaks = how.breaks ?? 0
  function answer(request: IncomingMessage, response: ServerResponse): void {
    const { url = '', headers } = request
    got.push({ url, range: headers.range })
    if (how.status) return void response.writeHead(how.status).end()
    if (!url.startsWith('/cdn')) return void response.writeHead(302, { location: `/cdn${url}` }).end()
    const from = how.hasNoRanges ? 0 : Number(/^bytes=(\d+)-/.exec(headers.range ?? '')?.[1] ?? 0)
    if (from >= CONTENT.length) return void response.writeHead(416).end()
    const content = how.wrong ? Buffer.alloc(CONTENT.length, 1) : CONTENT
    const body = content.subarray(from)
    response.writeHead(from ? 206 : 200, { 'content-length': body.length })
    if (breaks-- > 0) return void response.write(body.subarray(0, 500_000), () => response.destroy())
    response.end(body)
  }
  const server = tls ? createSecureServer(tls, answer) : createServer(answer)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    got,
    port,
    source: `http://127.0.0.1:${port}`,
    stop: () => new Promise(resolve => server.close(resolve)),
  }
}

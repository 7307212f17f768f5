import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import express from 'express'

interface ProviderCall {
  path: string
  headers: Record<string, unknown>
  /** JSON, a form, or the text of a multipart body. */
  // biome-ignore lint/suspicious/noExplicitAny: what was sent is what the test looks at
  body: any
}
type Trouble = { status: number; body: unknown } | 'hang' | 'hang up'

/** Stands in for the Graph API and for Twilio: takes everything, except where a fault is set for the next calls. */
export async function startProvidersFake() {
  const calls: ProviderCall[] = []
  const troubles: Trouble[] = []
  const app = express()
  app.use(express.json({ limit: '1mb' }), express.urlencoded(), express.text({ type: 'multipart/form-data' }))
  app.post('/*path', (request, response) => {
    const isRead = request.body?.status === 'read'
    calls.push({ path: request.path, headers: request.headers, body: request.body })
    const trouble = isRead ? undefined : troubles.shift()
    if (trouble === 'hang') return
    if (trouble === 'hang up') return void request.socket.destroy()
    if (trouble) return void response.status(trouble.status).json(trouble.body)
    if (isRead) return void response.json({ success: true })
    if (request.path.endsWith('/media')) return void response.json({ id: `upload-${calls.length}` })
    const id = `out-${calls.length}`
    if (request.path.endsWith('.json')) return void response.status(201).json({ sid: id, status: 'queued' })
    response.json({ messaging_product: 'whatsapp', contacts: [], messages: [{ id }] })
  })
  const server = createServer(app).listen(0, '127.0.0.1')
  await new Promise(resolve => server.once('listening', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    /** Sets the faults that the next calls meet, one after another. */
    trouble: (...next: Trouble[]) => troubles.push(...next),
    graphError: (code: number, status = 400) => ({
      status,
      body: { error: { message: `(#${code}) no`, type: 'OAuthException', code, fbtrace_id: 'A' } },
    }),
    stop: async () => {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}

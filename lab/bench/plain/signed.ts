import { createHmac, timingSafeEqual } from 'node:crypto'
import express, { type Response } from 'express'

/** Passes on WhatsApp's webhooks whose raw body is signed on a free port, which it prints. */
export function onSignedWebhook(secret: string, take: (body: Buffer, response: Response) => unknown): void {
  const app = express()
  app.post('/webhooks/whatsapp', express.raw({ type: 'application/json' }), (request, response) => {
    const digest = createHmac('sha256', secret).update(request.body).digest('hex')
    const given = Buffer.from(request.get('x-hub-signature-256') ?? '')
    const expected = Buffer.from(`sha256=${digest}`)
    if (given.length === expected.length && timingSafeEqual(given, expected))
      return take(request.body, response)
    response.status(401).end()
  })
  const server = app.listen(0, '127.0.0.1', () => {
    process.stdout.write(`${(server.address() as { port: number }).port}\n`)
  })
}

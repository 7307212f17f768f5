// A webhook of plain parts: Express, the signature over the raw body, and a line that is on disk before the answer.
// Run: node lab/bench/plain/webhook.ts FILE SECRET; prints its port.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { open } from 'node:fs/promises'
import express from 'express'

const [path = '', secret = ''] = process.argv.slice(2)
const file = await open(path, 'a')
const app = express()
app.post('/webhooks/whatsapp', express.raw({ type: 'application/json' }), async (request, response) => {
  const digest = createHmac('sha256', secret).update(request.body).digest('hex')
  const given = Buffer.from(request.get('x-hub-signature-256') ?? '')
  const expected = Buffer.from(`sha256=${digest}`)
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) {
    response.status(401).end()
    return
  }
  const { entry } = JSON.parse(request.body.toString())
  await file.appendFile(`${JSON.stringify(entry)}\n`)
  await file.datasync()
  response.send('OK')
})
const server = app.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${(server.address() as { port: number }).port}\n`)
})

// A webhook of plain parts: Express, the signature over the raw body, and a line that is on disk before the answer.
// Run: node lab/bench/plain/webhook.ts FILE SECRET; prints its port.
import { open } from 'node:fs/promises'
import { onSignedWebhook } from './signed.ts'

const [path = '', secret = ''] = process.argv.slice(2)
const file = await open(path, 'a')
onSignedWebhook(secret, async (body, response) => {
  const { entry } = JSON.parse(body.toString())
  await file.appendFile(`${JSON.stringify(entry)}\n`)
  await file.datasync()
  response.send('OK')
})

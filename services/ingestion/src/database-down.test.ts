import { runService } from '@voxscribe/service'
import { eventually, startProxy } from '@voxscribe/service/testing'
import { ingestionService } from './service.ts'
import { bodyOf, changeOf, ingestionForAll, newPhone, signatureOf, voiceNote } from './testing.ts'

const app = ingestionForAll()

test('when the database is away, then it is 5xx, and the provider’s next try is taken', async () => {
  const way = await startProxy(app.backings.mongoUrl)
  // Long enough to connect on a busy machine, but shorter than the default, for which the test would have to wait.
  const env = { ...app.env, MONGO_URL: `${way.url}&serverSelectionTimeoutMS=3000` }
  const service = await runService(ingestionService, env)
  const note = voiceNote({ from: newPhone() })
  const body = JSON.stringify(bodyOf(changeOf([note])))
  const send = async () => {
    const headers = { 'x-hub-signature-256': signatureOf(body) }
    return (await fetch(`${service.url}/webhooks/whatsapp`, { method: 'POST', body, headers })).status
  }
  try {
    way.goAway()
    expect(await send()).toBeGreaterThanOrEqual(500)
    expect(await app.stored('receipts').countDocuments({})).toBe(0)
    way.comeBack()
    await eventually(async () => (await send()) === 200)
    expect(await app.stored('receipts').countDocuments({ _id: `whatsapp:${note.id}` })).toBe(1)
  } finally {
    way.comeBack()
    await service.stop()
    await way.close()
  }
})

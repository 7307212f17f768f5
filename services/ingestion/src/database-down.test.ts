import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { runService } from '@voxscribe/service'
import { ingestionService } from './service.ts'
import {
  bodyOf,
  changeOf,
  type Ingestion,
  newPhone,
  signatureOf,
  startIngestion,
  voiceNote,
} from './testing.ts'

let app: Ingestion
beforeAll(async () => {
  app = await startIngestion()
})
afterAll(() => app.stop())

/** A way to the database that can be cut. */
async function startWay(mongoUrl: string) {
  const { hostname, port, host } = new URL(mongoUrl)
  const sockets = new Set<Socket>()
  let isCut = false
  const server = createServer(socket => {
    const onward = connect(Number(port), hostname)
    for (const end of [socket, onward]) {
      sockets.add(end)
      end.on('error', () => {})
      end.on('close', () => [socket, onward].forEach(other => void other.destroy()))
    }
    if (isCut) socket.destroy()
    else socket.pipe(onward).pipe(socket)
  }).listen(0, '127.0.0.1')
  await new Promise(resolve => server.once('listening', resolve))
  const own = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const cut = () => {
    isCut = true
    for (const socket of sockets) socket.destroy()
    sockets.clear()
  }
  return {
    url: mongoUrl.replace(host, own),
    cut,
    mend: () => {
      isCut = false
    },
    stop: async () => {
      cut()
      await new Promise(resolve => server.close(resolve))
    },
  }
}

test('when the database is away, then it is 5xx, and the provider’s next try is taken', async () => {
  const way = await startWay(app.backings.mongoUrl)
  const service = await runService(ingestionService, { ...app.env, MONGO_URL: way.url })
  const note = voiceNote({ from: newPhone() })
  const body = JSON.stringify(bodyOf(changeOf([note])))
  const send = async () => {
    const headers = { 'x-hub-signature-256': signatureOf(body) }
    return (await fetch(`${service.url}/webhooks/whatsapp`, { method: 'POST', body, headers })).status
  }
  try {
    way.cut()
    expect(await send()).toBeGreaterThanOrEqual(500)
    expect(await app.stored('receipts').countDocuments({})).toBe(0)
    way.mend()
    expect(await send()).toBe(200)
    expect(await app.stored('receipts').countDocuments({ _id: `whatsapp:${note.id}` })).toBe(1)
  } finally {
    way.mend()
    await service.stop()
    await way.stop()
  }
})

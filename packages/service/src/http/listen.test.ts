import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { MAX_FILE_BYTES } from '@voxscribe/contracts/business'
import { listen } from './listen.ts'

test('when a stop meets a response, then it is completed and its connection closed', async () => {
  const gate = Promise.withResolvers<void>()
  const listening = await listen(
    async (_request, response) => {
      response.write('first, ')
      await gate.promise
      response.end('x'.repeat(1_000_000))
    },
    0,
    '127.0.0.1',
  )
  const agent = new Agent({ keepAlive: true })
  const asked = request({ port: listening.port, host: '127.0.0.1', agent }).end()
  const [answer] = (await once(asked, 'response')) as [IncomingMessage]
  // The client would keep the connection, but is told to close it; nothing has to wait and cut it off.
  let isCutOff = false
  listening.server.closeAllConnections = () => {
    isCutOff = true
  }
  const ended = once(answer.socket, 'close')
  const closed = listening.close()
  gate.resolve()
  expect(await text(answer)).toHaveLength(1_000_007)
  await Promise.all([ended, closed])
  expect(isCutOff).toBe(false)
  agent.destroy()
})

test('when the largest file comes at half a megabit a second, then no timeout ends it', async () => {
  const listening = await listen((_request, response) => response.end(), 0, '127.0.0.1')
  await listening.close()
  expect(listening.server.requestTimeout).toBeGreaterThan((MAX_FILE_BYTES * 8) / 500)
})

import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { openMailer } from './mailer.ts'

const mail = { to: 'ada@example.com', subject: 'Hello', text: 'Hello', html: '<p>Hello</p>' }

/** A mail server that responds with 250, but to this command one byte at a time, without end. */
function serve(slow: string) {
  return createServer(socket => {
    socket.on('error', () => {}).write('220 here\r\n')
    socket.on('data', data => {
      if (!String(data).startsWith(slow)) return void socket.write('250 fine\r\n')
      const trickle = setInterval(() => socket.write('2'), 20)
      socket.once('close', () => clearInterval(trickle))
    })
  })
}

test.each(['EHLO', 'MAIL', 'RCPT'])(
  'when a mail server trickles its answer to %s, then the mail fails in time, and its connection ends',
  async slow => {
    const server = serve(slow)
    await new Promise<void>(listening => server.listen(0, '127.0.0.1', listening))
    const { port } = server.address() as AddressInfo
    const mailer = openMailer(`smtp://127.0.0.1:${port}`, 'Voxscribe <a@example.com>', 300)
    await expect(mailer.send(mail, 'key')).rejects.toThrow()
    await mailer.close()
    // Resolves only once no connection is left.
    await new Promise(closed => server.close(closed))
  },
)

test('when a mail server trickles as it is looked at, then that fails in time', async () => {
  const server = serve('EHLO')
  const connected = once(server, 'connection')
  await new Promise<void>(listening => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo
  const mailer = openMailer(`smtp://127.0.0.1:${port}`, 'Voxscribe <a@example.com>', 300)
  await expect(mailer.verify()).rejects.toThrow('no answer in time')
  const [socket] = await connected
  socket.destroy()
  await new Promise(closed => server.close(closed))
})

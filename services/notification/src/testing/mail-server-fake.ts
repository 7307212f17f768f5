import type { AddressInfo } from 'node:net'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer } from 'smtp-server'

/** A mail server that keeps what it gets, parsed. */
export async function startMailServerFake() {
  const mails: Email[] = []
  const refusals: { at: 'recipient' | 'data'; code: number }[] = []
  const refusal = (at: 'recipient' | 'data') => {
    const [next] = refusals
    if (next?.at !== at) return undefined
    refusals.shift()
    return Object.assign(new Error('refused'), { responseCode: next.code })
  }
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    onRcptTo: (_address, _session, done) => done(refusal('recipient')),
    onData: (stream, _session, done) => {
      const chunks: Buffer[] = []
      stream.on('data', chunk => chunks.push(chunk))
      stream.on('end', async () => {
        const refused = refusal('data')
        if (!refused) mails.push(await PostalMime.parse(Buffer.concat(chunks)))
        done(refused)
      })
    },
  })
  server.on('error', () => {})
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.server.address() as AddressInfo
  return {
    url: `smtp://127.0.0.1:${port}`,
    mails,
    to: (address: string) => mails.filter(mail => mail.to?.some(to => to.address === address)),
    /** Refuses the next mails. */
    refuse: (...next: typeof refusals) => refusals.push(...next),
    hasRefusedAll: () => refusals.length === 0,
    stop: () => new Promise<void>(resolve => server.close(resolve)),
  }
}

import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import type { Address } from 'postal-mime'
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server'

const LARGEST_BYTES = 25 * 1024 * 1024

const shown = (addresses: Address | Address[] | undefined) =>
  [addresses ?? []]
    .flat()
    .map(({ name, address }) => (name ? `${name} <${address ?? ''}>` : (address ?? '')))
    .join(', ')

/** A received mail: the envelope's sender, its recipients in lower case, and the other fields as in the headers. */
export type Received = Awaited<ReturnType<typeof read>>

async function read(raw: Buffer, { mailFrom, rcptTo }: SMTPServerSession['envelope']) {
  const { default: PostalMime } = await import('postal-mime')
  const parsed = await PostalMime.parse(raw)
  return {
    from: mailFrom ? mailFrom.address : '',
    to: rcptTo.map(({ address }) => address.toLowerCase()),
    fromShown: shown(parsed.from),
    toShown: shown(parsed.to),
    replyTo: shown(parsed.replyTo),
    subject: parsed.subject ?? '',
    text: parsed.text ?? '',
    html: parsed.html ?? '',
    headers: parsed.headers.map(({ originalKey, key, value }) => ({ name: originalKey ?? key, value })),
  }
}

/** A fault for the next mail, and its time: when sender or recipient is named, or after the whole mail. */
export interface Refusal {
  at: 'sender' | 'recipient' | 'data'
  code: number
}

const refusal = (code: number, message: string) => Object.assign(new Error(message), { responseCode: code })

/** Accepts any mail for anyone, without a password; responds 250 only once the message is stored. */
export async function startSmtp(options: {
  port: number
  host: string
  keep: (mail: Received) => void
  isDown: () => boolean
}) {
  const refusals: Refusal[] = []
  const refused = (at: Refusal['at']) =>
    refusals[0]?.at === at ? refusal(refusals.shift()?.code ?? 451, 'Refused on request') : null

  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    size: LARGEST_BYTES,
    logger: false,
    onAuth: (_auth, _session, callback) => callback(null, { user: 'anyone' }),
    onMailFrom: (_address, _session, callback) =>
      callback(
        options.isDown() ? refusal(451, 'The mail server is down, try again later') : refused('sender'),
      ),
    onRcptTo: (_address, _session, callback) => callback(refused('recipient')),
    onData(stream: SMTPServerDataStream, session, callback) {
      buffer(stream)
        .then(raw => {
          const no = stream.sizeExceeded ? refusal(552, 'Message too large') : refused('data')
          if (no) throw no
          return read(raw, session.envelope)
        })
        .then(options.keep)
        .then(() => callback(null), callback)
    },
  })
  // Clients may disconnect; only an error at the start matters.
  const failed = new Promise<never>((_resolve, reject) => server.on('error', reject))
  failed.catch(() => {})
  server.listen(options.port, options.host)
  await Promise.race([once(server.server, 'listening'), failed])
  return {
    port: (server.server.address() as AddressInfo).port,
    refusals,
    stop: () => new Promise<void>(resolve => server.close(() => resolve())),
  }
}

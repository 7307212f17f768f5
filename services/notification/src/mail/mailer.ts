import { derivedId } from '@voxscribe/contracts/events'
import { openOnce, within } from '@voxscribe/service'
import type { Transporter } from 'nodemailer'
import type { SMTPError } from 'nodemailer/lib/smtp-connection/index.js'
import type { SendResult } from '../chat/chat.ts'

export interface Mail {
  to: string
  subject: string
  text: string
  html: string
  /** Address for replies, if it isn't ours. */
  replyTo?: { name: string; address: string }
}

/** Limit for a whole mail; the connection's timeouts restart with each byte from the server. */
const LONGEST_MS = 60_000

/** Sends through `smtp://user:password@host:587`, or `smtps://…` with TLS; the first mail loads the library. */
export function openMailer(smtpUrl: string, from: string, longestMs = LONGEST_MS) {
  let opened: Transporter | undefined
  const transport = openOnce(async () => {
    const { createTransport } = await import('nodemailer')
    opened = createTransport({
      url: smtpUrl,
      pool: true,
      connectionTimeout: 10_000,
      greetingTimeout: 10_000,
      socketTimeout: 20_000,
      // Nothing that a person typed may make the server read a file or fetch an address.
      disableFileAccess: true,
      disableUrlAccess: true,
    })
    return opened
  })
  const domain = /@([^>\s]+)/.exec(from)?.[1]
  return {
    /**
     * `key` determines the Message-ID, so that most mailboxes show a repeated mail once. Throws if a retry may work.
     */
    async send(mail: Mail, key: string): Promise<SendResult> {
      const messageId = `<${derivedId(key)}@${domain}>`
      try {
        await (await transport()).sendMail({
          ...mail,
          from,
          messageId,
          // Out-of-office replies and the like must not respond (RFC 3834).
          headers: { 'Auto-Submitted': 'auto-generated' },
          signal: AbortSignal.timeout(longestMs),
        })
        return { outcome: 'sent', id: messageId }
      } catch (error) {
        // A permanent refusal of the recipient, such as "no such mailbox" (RFC 5321: 5xx). If our own address is
        // refused, the mail waits for an operator.
        const { command, responseCode = 0, response = '' } = error as SMTPError
        if (command !== 'RCPT TO' || responseCode < 500) throw error
        return { outcome: 'refused', code: String(responseCode), message: response.replaceAll(mail.to, '…') }
      }
    },
    /** Signs in to the mail server without sending; throws its refusal. */
    verify: async () =>
      within(longestMs, (await transport()).verify(), () => {
        throw new Error('no answer in time')
      }),
    close: async () => opened?.close(),
  }
}
export type Mailer = ReturnType<typeof openMailer>

import { randomUUID } from 'node:crypto'
import { Router } from 'express'
import { z } from 'zod'
import { type Database, openObjects } from '../database.ts'
import { createFaults } from '../faults.ts'
import { check } from '../input.ts'
import { type Received, type Refusal, startSmtp } from './smtp.ts'

export interface MailSettings {
  /** 0: any free port. */
  smtpPort: number
}

export interface Mail extends Received {
  object: 'mail'
  id: string
  /** Milliseconds since 1970. */
  at: number
}

const LATEST = 200
/** Whether the mail server appears down, and refuses all mails with 451. */
const Faults = z.object({ down: z.boolean('down must be true or false').default(false) })
const Query = z.object({ to: z.string('to must be one address').max(320).optional() })
const URLS = /https?:\/\/[^\s<>"')\]]+/g

/** Returns each address in the mail once, in order. */
function linksIn({ text, html }: Mail) {
  const plain = html.replaceAll('&amp;', '&').replaceAll('&#x3D;', '=')
  return [...new Set(`${text}\n${plain}`.match(URLS) ?? [])]
}

export type MailPart = Awaited<ReturnType<typeof startMail>>

/** Starts the mail server, and the API that shows its mails. */
export async function startMail({ mail, host, db }: { mail: MailSettings; host: string; db: Database }) {
  const { find, list, put } = openObjects<{ mail: Mail }>(db)
  /** Newest first; `to` is the whole address of the first recipient, in any case. */
  const mailsTo = (to?: string) => list('mail', { '$.to[0]': to?.toLowerCase() }, LATEST)
  const faults = createFaults(db, 'mail-faults', Faults)
  const keep = (received: Received) =>
    void put<Mail>({ object: 'mail', id: randomUUID(), ...received, at: Date.now() })
  const smtp = await startSmtp({ port: mail.smtpPort, host, keep, isDown: () => faults.read().down })

  // For tests; described in the README.
  const api = Router()
  api.get('/', (request, response) => {
    const mails = mailsTo(check(Query, request.query).to)
    response.json({
      mails: mails.map(each => ({ ...each, at: new Date(each.at).toISOString(), links: linksIn(each) })),
    })
  })
  api.use('/faults', faults.api)

  return {
    ...smtp,
    api,
    mailsTo,
    find: (id: string) => find('mail', id),
    inbox: {
      /** Mails to an address, oldest first. */
      to: (address: string): Mail[] => mailsTo(address).reverse(),
      refuse: (...next: Refusal[]) => void smtp.refusals.push(...next),
      hasRefusedAll: () => smtp.refusals.length === 0,
    },
  }
}

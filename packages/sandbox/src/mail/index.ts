import { z } from 'zod'
import type { Database } from '../database.ts'
import { createFaults } from '../faults.ts'
import { mailApi } from './mail-api.ts'
import { type Refusal, startSmtp } from './smtp.ts'
import { createMailStore, type Mail } from './store.ts'

export interface MailSettings {
  /** 0: any free port. */
  smtpPort: number
}

/** Whether the mail server seems to be down: it refuses every mail with 451. */
const Faults = z.object({ down: z.boolean('down must be true or false').default(false) })

export type MailRoutes = Awaited<ReturnType<typeof startMail>>['routes']

/** The mail server, and the API that shows its mail. */
export async function startMail(given: { mail: MailSettings; host: string; db: Database }) {
  const store = createMailStore(given.db)
  const faults = createFaults(given.db, 'mail-faults', Faults)
  const { smtpPort: port } = given.mail
  const smtp = await startSmtp({ port, host: given.host, store, isDown: () => faults.read().down })
  const inbox = {
    /** The mails to an address, the oldest first. */
    to: (address: string): Mail[] => store.list(address).reverse(),
    /** Refuses the next mails. */
    refuse: (...next: Refusal[]) => void smtp.refusals.push(...next),
    hasRefusedAll: () => smtp.refusals.length === 0,
  }
  return { ...smtp, inbox, routes: { store, faults, api: mailApi(store, faults) } }
}

import { z } from 'zod'
import type { Database } from '../database.ts'
import type { Settings } from '../settings.ts'
import { type MailSwitch, mailApi } from './mail-api.ts'
import { startSmtp } from './smtp.ts'
import { createMailStore } from './store.ts'

export interface MailSettings {
  /** 0: any free port. */
  smtpPort: number
}

const Switch = z.object({ down: z.boolean().default(false) })

export type MailRoutes = Awaited<ReturnType<typeof startMail>>['routes']

/** The mail server and what shows its mail. */
export async function startMail(given: {
  mail: MailSettings
  host: string
  db: Database
  settings: Settings
}) {
  const store = createMailStore(given.db)
  const down: MailSwitch = {
    isOn: () => given.settings.read('mail-faults', Switch).down,
    turn: on => given.settings.write('mail-faults', { down: on }),
  }
  const smtp = await startSmtp({ port: given.mail.smtpPort, host: given.host, store, isDown: down.isOn })
  return { port: smtp.port, stop: smtp.stop, routes: { store, down, api: mailApi(store, down) } }
}

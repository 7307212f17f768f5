import { Router } from 'express'
import { z } from 'zod'
import { type Faults, faultsApi } from '../faults.ts'
import { check } from '../input.ts'
import type { Mail, MailStore } from './store.ts'

const Query = z.object({ to: z.string('to must be one address').max(320).optional() })
const URLS = /https?:\/\/[^\s<>"')\]]+/g

/** Every address in the mail, in order, each once. */
function linksIn({ text, html }: Pick<Mail, 'text' | 'html'>) {
  const plain = html.replaceAll('&amp;', '&').replaceAll('&#x3D;', '=')
  return [...new Set(`${text}\n${plain}`.match(URLS) ?? [])]
}

const asJson = (mail: Mail) => ({ ...mail, at: new Date(mail.at).toISOString(), links: linksIn(mail) })

/** The mail page's and the tests' HTTP API, below `/api/mail`; described in the README. */
export function mailApi(store: MailStore, faults: Pick<Faults, 'read' | 'change'>) {
  const router = Router()
  router.get('/', (request, response) => {
    response.json({ mails: store.list(check(Query, request.query).to).map(asJson) })
  })
  router.use('/faults', faultsApi(faults))
  return router
}

import { type Response, Router } from 'express'
import type { Mail, MailPart } from '../mail/index.ts'
import { html, linked, moment } from './html.ts'
import type { SendPage } from './layout.ts'

const subject = (mail: Mail) => (mail.subject ? html`<bdi>${mail.subject}</bdi>` : html`No subject`)

const listEntry = (mail: Mail, open: Mail | null) => html`
  <li><a href="/mail/${mail.id}"${mail.id === open?.id && html` aria-current="true"`}>
    <strong>${subject(mail)}</strong>
    <span>to <bdi>${mail.to.join(', ')}</bdi></span>
    ${moment(mail.at)}
  </a></li>`

const content = ({ id, text, html: shown }: Mail) =>
  shown
    ? html`<iframe class="sheet" title="The mail as shown" src="/mail/${id}/body"
        sandbox="allow-popups allow-popups-to-escape-sandbox" referrerpolicy="no-referrer"></iframe>`
    : html`<pre class="plain">${linked(text)}</pre>`

const reading = (mail: Mail) => html`
    <article class="reading">
      <a class="narrow" href="/mail">All mail</a>
      <h1>${subject(mail)}</h1>
      <dl class="envelope">
        <dt>From</dt><dd>${mail.fromShown || mail.from}</dd>
        <dt>To</dt><dd>${mail.toShown || mail.to.join(', ')}</dd>
        ${mail.replyTo && html`<dt>Reply to</dt><dd>${mail.replyTo}</dd>`}
        <dt>Came</dt><dd>${moment(mail.at)}</dd>
      </dl>
      ${content(mail)}
    </article>`

function mailbox(mails: Mail[], open: Mail | null) {
  return html`
    <div class="split ${open && 'open'}">
      <aside class="side" aria-label="Mail">
        ${!open && html`<h1 class="unseen">Mail</h1>`}
        <div class="list" data-live="mails">
          ${
            mails.length
              ? html`<ul>${mails.map(mail => listEntry(mail, open))}</ul>`
              : html`<p class="empty">No mail yet. Whatever the app sends, to anyone, arrives here.</p>`
          }
        </div>
      </aside>
      ${open ? reading(open) : html`<p class="reading empty">Stands in for the mail server. Nothing leaves this machine.</p>`}
    </div>`
}

// Mail content is untrusted: no scripts, no loading, no forms; links open in a new tab.
const BODY_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'; base-uri 'none'; frame-ancestors 'self'; sandbox allow-popups allow-popups-to-escape-sandbox"

export function mailPages({ find, mailsTo }: MailPart, sendPage: SendPage) {
  const router = Router()

  function show(response: Response, open: Mail | null) {
    const main = mailbox(mailsTo(), open)
    const title = open?.subject || 'Mail'
    sendPage(response, { title, section: 'mail', full: true, main })
  }

  router.get('/mail', (_request, response) => show(response, null))
  router.get('/mail/:id', (request, response, next) => {
    const mail = find(request.params.id)
    if (mail) show(response, mail)
    else next()
  })
  router.get('/mail/:id/body', (request, response, next) => {
    const mail = find(request.params.id)
    if (!mail) return next()
    response
      .set({ 'content-security-policy': BODY_POLICY, 'x-content-type-options': 'nosniff' })
      .type('html')
      .send(`<!doctype html><meta charset="utf-8"><base target="_blank">${mail.html}`)
  })
  return router
}

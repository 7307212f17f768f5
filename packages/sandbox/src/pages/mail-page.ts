import { type Response, Router } from 'express'
import type { MailRoutes } from '../mail/index.ts'
import type { Mail } from '../mail/store.ts'
import { moment } from './formats.ts'
import { html } from './html.ts'
import type { SendPage } from './layout.ts'

const VIEWS = ['html', 'text'] as const
type View = (typeof VIEWS)[number]
const NAMES: Record<View, string> = { html: 'As shown', text: 'Text' }
const URLS = /(https?:\/\/[^\s<>"')\]]+)/

const listEntry = (mail: Mail, open: Mail | null) => html`
  <li><a href="/mail/${mail.id}"${mail.id === open?.id && html` aria-current="true"`}>
    <strong>${mail.subject || 'No subject'}</strong>
    <span>to ${mail.to.join(', ')}</span>
    <time>${moment(mail.at)}</time>
  </a></li>`

/** Text whose addresses can be opened; splitting by one group leaves them at the odd places. */
const linked = (text: string) =>
  text
    .split(URLS)
    .map((part, place) =>
      place % 2 ? html`<a href="${part}" target="_blank" rel="noreferrer noopener">${part}</a>` : part,
    )

function content(mail: Mail, view: View) {
  if (view === 'text')
    return html`<pre class="plain">${linked(mail.text || 'This mail has no text part.')}</pre>`
  return html`<iframe class="sheet" title="The mail as shown" src="/mail/${mail.id}/body"
    sandbox="allow-popups allow-popups-to-escape-sandbox" referrerpolicy="no-referrer"></iframe>`
}

function reading(mail: Mail, view: View) {
  const views = VIEWS.filter(name => name !== 'html' || mail.html)
  return html`
    <article class="reading">
      <a class="narrow" href="/mail">All mail</a>
      <h1>${mail.subject || 'No subject'}</h1>
      <dl class="envelope">
        <dt>From</dt><dd>${mail.fromShown || mail.from}</dd>
        <dt>To</dt><dd>${mail.toShown || mail.to.join(', ')}</dd>
        ${mail.replyTo && html`<dt>Reply to</dt><dd>${mail.replyTo}</dd>`}
        <dt>Came</dt><dd>${moment(mail.at)}</dd>
      </dl>
      <nav aria-label="Views of this mail">
        ${views.map(name => html`<a href="/mail/${mail.id}?view=${name}"${name === view && html` aria-current="true"`}>${NAMES[name]}</a>`)}
      </nav>
      ${content(mail, view)}
    </article>`
}

function mailbox({ store, faults }: MailRoutes, open: Mail | null, view: View) {
  const mails = store.list()
  const off = faults.read().down
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
        <form method="post" action="/mail/faults" class="line">
          <input type="hidden" name="down" value="${off ? 'off' : 'on'}">
          <span class="grow">${off ? html`<span class="badge bad">refusing mail (451)</span>` : html`<span class="hint">The mail server is up.</span>`}</span>
          <button>${off ? 'Bring it back' : 'Take it down'}</button>
        </form>
        <form method="post" action="/mail/clear" class="line">
          <span class="hint grow">${mails.length} kept</span>
          <button class="danger"${!mails.length && html` disabled`}>Delete all</button>
        </form>
      </aside>
      ${open ? reading(open, view) : html`<p class="reading empty">Stands in for the mail server. Nothing leaves this machine.</p>`}
    </div>`
}

// The contents of a mail may come from anyone: no scripts, nothing loaded, no forms; links open in a new tab.
const BODY_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'; base-uri 'none'; frame-ancestors 'self'; sandbox allow-popups allow-popups-to-escape-sandbox"

export function mailPages(routes: MailRoutes, sendPage: SendPage) {
  const { store, faults } = routes
  const router = Router()

  function show(response: Response, open: Mail | null, view: View) {
    const main = mailbox(routes, open, view)
    const title = open?.subject || 'Mail'
    sendPage(response, { title, section: 'mail', full: true, main, scripts: ['live.js'] })
  }

  router.get('/mail', (_request, response) => show(response, null, 'html'))
  router.post('/mail/faults', (request, response) => {
    faults.change({ down: request.body.down === 'on' })
    response.redirect(303, '/mail')
  })
  router.post('/mail/clear', (_request, response) => {
    store.clear()
    response.redirect(303, '/mail')
  })
  router.get('/mail/:id', (request, response, next) => {
    const mail = store.get(request.params.id)
    if (!mail) return next()
    const asked = VIEWS.find(view => view === request.query.view)
    show(response, mail, asked ?? (mail.html ? 'html' : 'text'))
  })
  router.get('/mail/:id/body', (request, response, next) => {
    const mail = store.get(request.params.id)
    if (!mail) return next()
    response
      .set({ 'content-security-policy': BODY_POLICY, 'x-content-type-options': 'nosniff' })
      .type('html')
      .send(`<!doctype html><meta charset="utf-8"><base target="_blank">${mail.html}`)
  })
  return router
}

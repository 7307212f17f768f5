import { Router } from 'express'
import { html } from './html.ts'
import type { SendPage } from './layout.ts'

const icon = (name: string) =>
  html`<svg class="icon" aria-hidden="true"><use href="/static/icons.svg#${name}"></use></svg>`

const composer = html`
  <form class="composer" id="composer">
    <p class="line" data-attached hidden>
      <span class="grow" data-attached-name></span>
      <button type="button" class="quiet" data-detach>Remove</button>
    </p>
    <p class="notice bad" role="alert" data-problem hidden></p>
    <p class="line" data-recording hidden>
      <span class="pulse" aria-hidden="true"></span>
      <span class="grow">Recording <span data-clock>0:00</span></span>
      <button type="button" class="quiet" data-discard>Discard</button>
      <button type="button" class="primary" data-finish>Send voice note</button>
    </p>
    <div class="line" data-line>
      <label class="round" title="Attach a file">
        ${icon('clip')}<span class="unseen">Attach a file</span>
        <input class="unseen" type="file" data-file>
      </label>
      <label class="unseen" for="text">Message</label>
      <textarea id="text" name="text" rows="1" maxlength="4096" placeholder="Message" autocomplete="off"></textarea>
      <button type="button" class="round" data-record title="Record a voice note">
        ${icon('microphone')}<span class="unseen">Record a voice note</span>
      </button>
      <button class="round primary" data-send title="Send">${icon('send')}<span class="unseen">Send</span></button>
    </div>
  </form>`

const chatPage = html`
  <div class="split chat-page">
    <aside class="side" aria-label="Your number">
      <form id="sender" class="rows">
        <label>You write from
          <input name="from" type="tel" autocomplete="tel" placeholder="+1 555 000 1111" required></label>
        <p class="hint">Any number with its country code. Use the one you signed up with.</p>
        <button class="primary narrow">Open the chat</button>
      </form>
    </aside>
    <section class="chat" aria-label="Chat with Voxscribe">
      <header class="line">
        <div class="grow"><h1>Voxscribe</h1><p class="hint" data-state>In the sandbox</p></div>
        <p class="badge">Not WhatsApp</p>
        <button type="button" class="round narrow" aria-expanded="false" title="Number and settings" data-side-toggle>
          ${icon('person')}<span class="unseen">Number and settings</span>
        </button>
      </header>
      <div class="scroller" role="log" tabindex="0" aria-label="Messages"><ol class="messages" data-messages></ol></div>
      ${composer}
    </section>
  </div>`

/** The chat page, and the addresses to use in place of wa.me links. */
export function whatsappPages(sendPage: SendPage) {
  const router = Router()
  router.get('/whatsapp', (_request, response) => {
    sendPage(response, {
      title: 'WhatsApp',
      section: 'whatsapp',
      full: true,
      scripts: ['chat.js'],
      main: chatPage,
    })
  })
  // As https://wa.me/15550783881?text=…
  router.get(['/send', '/wa/:phone'], ({ query: { text } }, response) => {
    response.redirect(`/whatsapp${typeof text === 'string' ? `?text=${encodeURIComponent(text)}` : ''}`)
  })
  return router
}

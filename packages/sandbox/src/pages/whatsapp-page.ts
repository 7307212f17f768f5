import { Router } from 'express'
import { z } from 'zod'
import { check } from '../input.ts'
import { html } from './html.ts'
import type { SendPage } from './layout.ts'

const Link = z.object({
  phone: z.string().max(30).optional(),
  text: z.string().max(4096).optional().catch(undefined),
})

const icon = (name: string) =>
  html`<svg class="icon" aria-hidden="true"><use href="/static/icons.svg#${name}"></use></svg>`

const COUNTS = {
  failLater: 'Taken, then not delivered (131026), next … replies',
  badToken: 'Token refused (401) at the next … calls',
  rateLimited: 'Rate limit hits the next … sends',
  serverError: 'Server error at the next … calls',
  hang: 'No answer to the next … calls',
  mediaSlow: 'Slow download, next …',
  mediaBroken: 'Download breaks off, next …',
  mediaMissing: 'Download not found, next …',
}

const faultPanel = html`
  <details class="panel" id="faults">
    <summary>Make something go wrong</summary>
    <form class="rows">
      <label>24-hour window
        <select name="window">
          <option value="real">as it really is</option>
          <option value="closed">closed: sending fails later (131047)</option>
          <option value="refused">closed: sending is refused (131047)</option>
        </select>
      </label>
      ${Object.entries(COUNTS).map(
        ([name, label]) =>
          html`<label>${label} <input type="number" name="${name}" min="0" max="999" value="0"></label>`,
      )}
      <label class="tick"><input type="checkbox" name="paused"> Hold webhooks back</label>
      <p class="hint" role="status" data-saved></p>
    </form>
  </details>`

const webhookPanel = html`
  <details class="panel" id="webhooks">
    <summary>Webhooks</summary>
    <p class="hint" data-verification>Asking the app to verify its address…</p>
    <ol class="log" data-deliveries></ol>
  </details>`

const composer = html`
  <form class="composer" id="composer">
    <p class="attached" data-attached hidden>
      <span data-attached-name></span>
      <label>as
        <select name="kind">
          <option value="">WhatsApp chooses</option>
          <option value="audio">audio</option>
          <option value="video">video</option>
          <option value="document">document</option>
        </select>
      </label>
      <button type="button" class="quiet" data-detach>Remove</button>
    </p>
    <p class="problem" role="alert" data-problem hidden></p>
    <p class="recording" data-recording hidden>
      <span class="pulse" aria-hidden="true"></span>
      <span>Recording <span data-clock>0:00</span></span>
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

const chatPage = (number: string) => html`
  <div class="chat-page" data-number="${number}">
    <aside class="side" aria-label="Who you are">
      <form id="sender">
        <label for="from">You write from</label>
        <input id="from" name="from" type="tel" inputmode="tel" autocomplete="tel" list="recent" placeholder="+1 555 000 1111" required>
        <datalist id="recent"></datalist>
        <p class="hint">Any number with its country code. Use the one you signed up with.</p>
        <label for="name">Your name</label>
        <input id="name" name="name" autocomplete="off" maxlength="100" placeholder="As WhatsApp would show it">
        <label class="tick"><input type="checkbox" name="hideNumber"> Hide my number from the business</label>
        <button class="primary side-done">Open the chat</button>
      </form>
      <nav class="recents" aria-label="Recent numbers"><ul data-recents></ul></nav>
      ${faultPanel}
      ${webhookPanel}
    </aside>
    <section class="chat" aria-label="Chat with Voxscribe">
      <header class="chat-head">
        <div><h1>Voxscribe <span class="unseen">in the sandbox</span></h1><p data-state>+${number}</p></div>
        <p class="badge">Not WhatsApp</p>
        <button type="button" class="round side-toggle" aria-expanded="false" title="Number and settings" data-side-toggle>
          ${icon('person')}<span class="unseen">Number and settings</span>
        </button>
      </header>
      <div class="scroller" role="log" tabindex="0" aria-label="Messages"><ol class="messages" data-messages></ol></div>
      ${composer}
      <p class="drop-note" data-drop hidden>Drop the file to attach it</p>
    </section>
  </div>`

/** The chat page, and the addresses that links made for wa.me can be pointed to. */
export function whatsappPages(number: string, sendPage: SendPage) {
  const router = Router()
  router.get('/whatsapp', (_request, response) => {
    sendPage(response, {
      title: 'WhatsApp',
      section: 'whatsapp',
      full: true,
      scripts: ['chat.js'],
      main: chatPage(number),
    })
  })
  const withText = (text: string | undefined) => `/whatsapp${text ? `?text=${encodeURIComponent(text)}` : ''}`
  router.get('/send', (request, response) => response.redirect(withText(check(Link, request.query).text)))
  // As https://wa.me/15550783881?text=…
  router.get('/wa/:phone', (request, response) =>
    response.redirect(withText(check(Link, request.query).text)),
  )
  return router
}

import { Router } from 'express'
import type { Media } from '../chat/media-store.ts'
import type { ChatStore, Message } from '../chat/store.ts'
import { PhoneNumber } from '../input.ts'
import type { WhatsAppRoutes } from '../whatsapp/index.ts'
import { type Html, html, linked, marked, moment } from './html.ts'
import type { SendPage } from './layout.ts'

const icon = (name: string, classes = 'icon') =>
  html`<svg class="${classes}" aria-hidden="true"><use href="/static/icons.svg#${name}"></use></svg>`

const STATUS = { sent: 'Sent', delivered: 'Delivered', read: 'Read', failed: 'Not delivered' }
const KIND = { text: 'Text', audio: 'Audio', video: 'Video', image: 'Picture', document: 'Document' }
const kindOf = ({ voice, type }: Message) => (voice ? 'Voice note' : KIND[type])

const SHORTLY = { style: 'unit', unit: 'byte', unitDisplay: 'narrow', notation: 'compact' } as const
const size = (bytes: number) => new Intl.NumberFormat('en', SHORTLY).format(bytes)

function attachment(message: Message, mediaUrl: Messenger['mediaUrl']): Html | null {
  const { type, media, fileName } = message
  if (!media) return null
  if (type === 'audio' || type === 'video') {
    const player = html`controls preload="metadata" src="${mediaUrl(media)}" aria-label="${kindOf(message)}"`
    return type === 'audio' ? html`<audio ${player}></audio>` : html`<video ${player}></video>`
  }
  return html`
    <a class="line" href="${mediaUrl(media)}" download="${fileName ?? ''}">${icon('file')}
      <span><u>${fileName}</u><small>${KIND[type]}, ${size(media.bytes)}</small></span></a>`
}

const writer = ({ direction }: Message) => (direction === 'out' ? 'You' : 'Voxscribe')
const excerpt = (message: Message) => message.text ?? message.fileName ?? kindOf(message)

function bubble(message: Message, { store, mediaUrl }: Messenger) {
  const { id, direction, status, text, buttons = [], problem, at } = message
  const quoted = store.message(message.quotedId)
  const isUnread = direction === 'in' && status === 'delivered'
  const tick = status === 'delivered' || status === 'read' ? 'delivered' : 'sent'
  return html`
    <li class="message ${direction} ${status === 'failed' && status}"${isUnread && html` data-unread`}>
      <span class="unseen">${writer(message)}</span>
      ${
        quoted &&
        html`<blockquote><strong>${writer(quoted)}</strong>
          <span>${excerpt(quoted)}</span></blockquote>`
      }
      ${attachment(message, mediaUrl)}
      ${text && html`<p class="words" dir="auto">${linked(text, marked)}</p>`}
      ${
        buttons.length > 0 &&
        html`<p class="line">${buttons.map(
          ({ id: button, title }) =>
            html`<button type="button" class="outline" data-press="${button}" data-of="${id}">${title}</button>`,
        )}</p>`
      }
      ${problem && html`<p class="bad">This message would not be shown: ${problem}</p>`}
      <p class="meta">${moment(at)}
        ${direction === 'out' && html`<span class="unseen">${STATUS[status]}</span>${icon(tick, `tick-mark ${status}`)}`}
        <button type="button" class="outline secondary" data-reply="${id}" data-excerpt="${excerpt(message).slice(0, 80)}">Reply</button></p>
    </li>`
}

const start = html`
  <li class="start"><strong>Nothing here yet</strong> Record a voice note, or attach an audio or video file.
    What the messenger would do with it happens here, on this machine.</li>`

const composer = ({ number, to, text }: Chat) => html`
  <form class="composer" id="composer">
    <input type="hidden" name="from" value="${number}">
    <input type="hidden" name="to" value="${to}">
    <input type="hidden" name="replyTo" disabled>
    <p class="line" data-quoting hidden>
      <span class="grow">Reply to: <span data-quoted></span></span>
      <button type="button" class="outline secondary" data-no-reply>Cancel</button>
    </p>
    <p class="line" data-attached hidden>
      <span class="grow" data-attached-name></span>
      <button type="button" class="outline secondary" data-detach>Remove</button>
    </p>
    <p class="notice bad" role="alert" data-problem hidden></p>
    <p class="line" data-recording hidden>
      <span class="grow bad">Recording <span data-clock>0:00</span></span>
      <button type="button" class="outline secondary" data-discard>Discard</button>
      <button type="button" data-finish>Send voice note</button>
    </p>
    <div class="line" data-line>
      <label class="round" title="Attach a file">
        ${icon('clip')}<span class="unseen">Attach a file</span>
        <input class="unseen" type="file" name="file">
      </label>
      <label class="unseen" for="text">Message</label>
      <textarea id="text" class="grow" name="text" rows="1" maxlength="4096" placeholder="Message" autocomplete="off">${text}</textarea>
      <button type="button" class="outline secondary" data-record title="Record a voice note">
        ${icon('microphone')}<span class="unseen">Record a voice note</span>
      </button>
      <button data-send title="Send">${icon('send')}<span class="unseen">Send</span></button>
    </div>
  </form>`

interface Messenger {
  messenger: 'WhatsApp' | 'Telegram'
  section: 'whatsapp' | 'telegram'
  store: ChatStore
  mediaUrl(media: Media): string
}

interface Chat extends Pick<Messenger, 'messenger' | 'section'> {
  /** The person's number; empty until they have entered it. */
  number: string
  /** The business's number; empty: its first. */
  to: string
  typed: string
  text: string
  bubbles: Html[]
}

function chatPage(chat: Chat) {
  const { messenger, section, number, to, typed, text, bubbles } = chat
  return html`
  <div class="split chat-page ${!number && 'choosing'}" data-api="/api/${section}">
    <aside class="side" aria-label="Your number">
      <form id="sender" class="rows">
        <label>You write from
          <input name="from" type="tel" autocomplete="tel" placeholder="+1 555 000 1111" required
            value="${number ? `+${number}` : typed}"></label>
        <input type="hidden" name="text" value="${text}">
        ${to && html`<input type="hidden" name="to" value="${to}">`}
        ${typed && !number && html`<p class="notice bad" role="alert">A phone number with its country code, like +15550001111.</p>`}
        <p class="hint">${
          section === 'telegram'
            ? 'Any number of 7 digits or more: it stands for a Telegram account.'
            : 'Any number with its country code. Use the one you signed up with.'
        }</p>
        <button class="narrow">Open the chat</button>
      </form>
    </aside>
    <section class="chat" aria-label="Chat with Voxscribe">
      <header class="line">
        <div class="grow"><h1>Voxscribe</h1><p class="hint">${number ? html`Your number: <bdi dir="ltr">+${number}</bdi>` : 'In the sandbox'}</p></div>
        <mark>Not ${messenger}</mark>
        <button type="button" class="outline secondary narrow" aria-expanded="${String(!number)}" title="Number and settings" data-side-toggle>
          ${icon('person')}<span class="unseen">Number and settings</span>
        </button>
      </header>
      <div class="scroller" role="log" tabindex="0" aria-label="Messages">
        <ol class="messages" data-live="messages">${bubbles.length ? bubbles : start}</ol>
      </div>
      ${composer(chat)}
    </section>
  </div>`
}

function chatRoute(path: string, messenger: Messenger, sendPage: SendPage) {
  const router = Router()
  const { messenger: title, section, store } = messenger
  router.get(path, ({ query }, response) => {
    const [typed = '', text = '', to = ''] = [query.from, query.text, query.to].map(
      value => value && String(value),
    )
    const number = PhoneNumber.safeParse(typed).data ?? ''
    const bubbles = store.chat(number).map(message => bubble(message, messenger))
    const main = chatPage({ messenger: title, section, number, to, typed, text, bubbles })
    sendPage(response, { title, section, full: true, scripts: ['chat.js'], main })
  })
  return router
}

/** The chat page, and addresses that replace wa.me links. */
export function whatsappPages({ numbers, ...parts }: WhatsAppRoutes, sendPage: SendPage) {
  const router = chatRoute('/whatsapp', { ...parts, messenger: 'WhatsApp', section: 'whatsapp' }, sendPage)
  // Like https://wa.me/15550783881?text=…
  router.get(['/send', '/wa/:phone'], ({ query: { text, from }, params }, response) => {
    const isFurther = 'phone' in params && [...numbers.values()].indexOf(String(params.phone)) > 0
    const given = Object.entries({ to: isFurther && params.phone, from, text })
    const query = given.flatMap(([name, value]) =>
      typeof value === 'string' ? `${name}=${encodeURIComponent(value)}` : [],
    )
    response.redirect(`/whatsapp${query.length ? `?${query.join('&')}` : ''}`)
  })
  return router
}

/** The same for Telegram, where people are identified by id. */
export function telegramPages(parts: Pick<Messenger, 'store' | 'mediaUrl'>, sendPage: SendPage) {
  const router = chatRoute('/telegram', { ...parts, messenger: 'Telegram', section: 'telegram' }, sendPage)
  // Like https://t.me/voxscribe_bot?start=…
  router.get('/t.me/:username', ({ query: { start } }, response) => {
    response.redirect(`/telegram?text=${encodeURIComponent(`/start ${start ?? ''}`.trim())}`)
  })
  return router
}

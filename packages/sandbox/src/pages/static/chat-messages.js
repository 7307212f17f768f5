import { element, find, icon, size, time } from './dom.js'

const STATUS = { sent: 'Sent', delivered: 'Delivered', read: 'Read', failed: 'Not delivered' }
const KIND = { audio: 'Audio', video: 'Video', image: 'Picture', document: 'Document' }
const URLS = /(https?:\/\/[^\s<>"]+[^\s<>".,;:!?)\]])/

const list = find('[data-messages]')
const scroller = list.parentElement
const shown = new Map()

/** Text with links, built from text nodes only; splitting by one group leaves the addresses at the odd places. */
const words = text =>
  element(
    'p.words',
    {},
    text
      .split(URLS)
      .map((part, place) =>
        place % 2 ? element('a', { href: part, target: '_blank', rel: 'noreferrer' }, part) : part,
      ),
  )

const kindOf = ({ voice, type }) => (voice ? 'Voice note' : KIND[type])

function media({ type, voice, file }) {
  if (type === 'audio')
    return element('audio', {
      controls: true,
      preload: 'metadata',
      src: file.url,
      'aria-label': voice ? 'Voice note' : 'Audio',
    })
  if (type === 'video')
    return element('video', { controls: true, preload: 'metadata', src: file.url, 'aria-label': 'Video' })
  return element(
    'a.attachment',
    { href: file.url, download: file.name ?? '' },
    icon('file'),
    element(
      'span',
      {},
      element('u', {}, file.name ?? KIND[type]),
      element('small', {}, `${KIND[type]}, ${size(file.bytes)}`),
    ),
  )
}

function quote(quoted) {
  const preview = quoted.text ?? quoted.fileName ?? kindOf(quoted)
  return element(
    'blockquote.quote',
    {},
    element('strong', {}, quoted.direction === 'out' ? 'You' : 'Voxscribe'),
    element('span', {}, preview),
  )
}

function bubble(message) {
  const mine = message.direction === 'out'
  const double = message.status === 'delivered' || message.status === 'read'
  const tick = icon(double ? 'delivered' : 'sent', {
    label: STATUS[message.status],
    classes: `tick-mark ${message.status}`,
  })
  return element(
    'li.message',
    { class: `message ${message.direction} ${message.status === 'failed' ? 'failed' : ''}` },
    element('span.unseen', {}, mine ? 'You' : 'Voxscribe'),
    message.quoted && quote(message.quoted),
    message.file && media(message),
    message.text && words(message.text),
    message.problem && element('p.bad', {}, `WhatsApp would not show this message: ${message.problem}`),
    element('p.meta', {}, element('time', { datetime: message.at }, time(message.at)), mine && tick),
  )
}

const start = element(
  'li.start',
  {},
  element('strong', {}, 'Nothing here yet'),
  ' Record a voice note or attach an audio or video file. What WhatsApp would do with it happens here, on this machine.',
)

/** Shows the chat. What has not changed stays as it is, so that a playing note goes on. */
export function showMessages(chat) {
  const atEnd = scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < 120
  const ids = new Set(chat.messages.map(({ id }) => id))
  for (const [id, { node }] of shown) {
    if (ids.has(id)) continue
    node.remove()
    shown.delete(id)
  }
  let grown = false
  for (const message of chat.messages) {
    const known = shown.get(message.id)
    const json = JSON.stringify(message)
    if (known?.json === json) continue
    if (known) {
      const meta = bubble(message)
      known.node.className = meta.className
      known.node.querySelector('.meta').replaceWith(meta.querySelector('.meta'))
      known.json = json
    } else {
      const node = bubble(message)
      list.append(node)
      shown.set(message.id, { node, json })
      grown = true
    }
  }
  start.remove()
  if (!chat.messages.length) list.append(start)
  if (grown ? atEnd || chat.messages.at(-1).direction === 'out' : atEnd)
    scroller.scrollTop = scroller.scrollHeight
}

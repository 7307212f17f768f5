import { element, find, icon, size, time } from './dom.js'

const STATUS = { sent: 'Sent', delivered: 'Delivered', read: 'Read', failed: 'Not delivered' }
const KIND = { audio: 'Audio', video: 'Video', image: 'Picture', document: 'Document' }
const MARKS =
  /(https?:\/\/[^\s<>"]+[^\s<>".,;:!?)\]])|\*(\S(?:[^*\n]*\S)?)\*|(?<!\w)_(\S(?:[^_\n]*\S)?)_(?!\w)/g

const list = find('[data-messages]')
const scroller = list.parentElement
const shown = new Map()

/** Text with links and WhatsApp's *bold* and _italic_, built from text nodes only. */
function words(text) {
  const parts = []
  let from = 0
  for (const match of text.matchAll(MARKS)) {
    const [whole, url, bold, italic] = match
    parts.push(text.slice(from, match.index))
    if (url) parts.push(element('a', { href: url, target: '_blank', rel: 'noreferrer' }, url))
    else if (bold) parts.push(element('strong', {}, bold))
    else parts.push(element('em', {}, italic))
    from = match.index + whole.length
  }
  return element('p.words', {}, parts, text.slice(from))
}

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

const typing = element(
  'li.message.typing',
  {},
  element('span.unseen', {}, 'Voxscribe is typing'),
  element('span.pulse'),
)
const start = element(
  'li.start',
  {},
  element('strong', {}, 'Nothing here yet'),
  'Record a voice note or attach an audio or video file. What WhatsApp would do with it happens here, on this machine.',
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
  typing.remove()
  if (!chat.messages.length) list.append(start)
  if (chat.typing) list.append(typing)
  if (grown ? atEnd || chat.messages.at(-1).direction === 'out' : atEnd)
    scroller.scrollTop = scroller.scrollHeight
}

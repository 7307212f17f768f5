import { wireRecorder } from './chat-recorder.js'
import { refresh } from './live.js'

const AUDIO_LIMIT = 16 * 1024 * 1024
const LOOK_EVERY_MS = 500

const find = selector => document.querySelector(selector)
const page = find('.chat-page')
const REMEMBERED = `sandbox-sender${page.dataset.api}`
const sender = find('#sender')
const composer = find('#composer')
const problem = find('[data-problem]')
const { from: number, text, file, replyTo } = composer.elements

function showProblem(sentence) {
  problem.textContent = sentence ?? ''
  problem.hidden = !sentence
}

/** Sends the person's message. Returns whether it was accepted. */
async function send(form) {
  if (!number.value) {
    showProblem('First say which number you write from, like +15550001111.')
    sender.elements.from.focus()
    return false
  }
  form.set('to', composer.elements.to.value)
  try {
    const answer = await fetch(`${page.dataset.api}/messages`, { method: 'POST', body: form })
    showProblem((await answer.json()).error)
    await refresh()
    find('.scroller').scrollTop = 0
    return answer.ok
  } catch (error) {
    showProblem(error.message)
    return false
  }
}

function showAttached() {
  const [attached] = file.files
  find('[data-attached]').hidden = !attached
  showProblem()
  if (!attached) return
  const large = attached.size > AUDIO_LIMIT ? ': over 16 MB WhatsApp takes it only as a document' : ''
  find('[data-attached-name]').textContent = `${attached.name}${large}`
  text.focus()
}

/** Quotes a message in the next one; without an id, removes the quote. */
function quote({ reply = '', excerpt = '' } = {}) {
  replyTo.value = reply
  replyTo.disabled = !reply
  find('[data-quoted]').textContent = excerpt
  find('[data-quoting]').hidden = !reply
  text.focus()
}
find('.messages').addEventListener('click', ({ target }) => {
  const button = target.closest('[data-reply]')
  if (button) quote(button.dataset)
})
find('[data-no-reply]').addEventListener('click', () => quote())

composer.addEventListener('submit', async event => {
  event.preventDefault()
  if (!file.files.length && !text.value.trim()) return text.focus()
  if (!(await send(new FormData(composer)))) return
  composer.reset()
  text.value = ''
  showAttached()
  quote()
})
text.addEventListener('keydown', event => {
  if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return
  event.preventDefault()
  composer.requestSubmit()
})
find('.messages').addEventListener('click', ({ target }) => {
  const button = target.closest('[data-press]')
  if (!button) return
  const form = new FormData()
  form.set('from', number.value)
  form.set('replyTo', button.dataset.of)
  form.set('button', button.dataset.press)
  void send(form)
})
file.addEventListener('change', showAttached)
find('[data-detach]').addEventListener('click', () => {
  file.value = ''
  showAttached()
})

sender.elements.from.addEventListener('change', () => sender.requestSubmit())
find('[data-side-toggle]').addEventListener('click', ({ currentTarget }) =>
  currentTarget.setAttribute('aria-expanded', String(page.classList.toggle('choosing'))),
)

wireRecorder({
  onNote(note) {
    const form = new FormData()
    form.set('from', number.value)
    form.set('voice', 'true')
    form.set('mimeType', note.type.replace(';codecs', '; codecs'))
    form.set('file', note)
    return send(form)
  },
  onProblem: showProblem,
})

// The person is viewing the chat, so incoming messages are read.
setInterval(() => {
  if (!document.hidden && find('[data-unread]'))
    fetch(`${page.dataset.api}/chats/${number.value}/read`, { method: 'POST' }).catch(() => {})
}, LOOK_EVERY_MS)

const remembered = localStorage.getItem(REMEMBERED)
if (number.value) {
  localStorage.setItem(REMEMBERED, number.value)
  history.replaceState(null, '', `?from=${number.value}`)
  if (text.value) text.focus()
} else if (remembered && !sender.elements.from.value) {
  sender.elements.from.value = remembered
  sender.submit()
}

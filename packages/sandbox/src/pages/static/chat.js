import { showMessages } from './chat-messages.js'
import { wireRecorder } from './chat-recorder.js'
import { call, find, size } from './dom.js'

const AUDIO_LIMIT = 16 * 1024 * 1024
const REFRESH_MS = 1000
const REMEMBERED = 'sandbox-sender'

const page = find('.chat-page')
const sender = find('#sender')
const composer = find('#composer')
const problem = find('[data-problem]')
const state = find('[data-state]')
const { from } = sender.elements
const { text } = composer.elements

let number = null
let attached = null

const digits = value => value.replace(/[\s()./-]/g, '').replace(/^(\+|00)/, '')
const isNumber = value => /^[1-9]\d{6,14}$/.test(value)

function showProblem(sentence) {
  problem.textContent = sentence ?? ''
  problem.hidden = !sentence
}

function choosing(on) {
  page.classList.toggle('choosing', on)
  find('[data-side-toggle]').setAttribute('aria-expanded', String(on))
}

async function refresh() {
  if (!number) return
  const asked = number
  const chat = await call('GET', `/api/whatsapp/chats/${asked}`)
  if (asked !== number) return
  showMessages(chat)
  state.textContent = `You are +${number}`
  const unread = chat.messages.some(({ direction, status }) => direction === 'in' && status === 'delivered')
  if (unread && !document.hidden) await call('POST', `/api/whatsapp/chats/${asked}/read`)
}

async function choose(chosen) {
  number = chosen
  localStorage.setItem(REMEMBERED, number)
  from.value = `+${number}`
  await refresh()
  showProblem()
}

function attach(file) {
  attached = file
  find('[data-attached]').hidden = !file
  showProblem()
  if (!file) return
  const large = file.size > AUDIO_LIMIT ? ': over 16 MB WhatsApp takes it only as a document' : ''
  find('[data-attached-name]').textContent = `${file.name} (${size(file.size)})${large}`
  text.focus()
}

async function send(fields, file) {
  if (!number && isNumber(digits(from.value))) await choose(digits(from.value))
  if (!number) {
    showProblem('First say which number you write from, like +15550001111.')
    choosing(true)
    from.focus()
    return false
  }
  const form = new FormData()
  for (const [field, value] of Object.entries({ from: number, ...fields })) if (value) form.set(field, value)
  if (file) form.set('file', file)
  try {
    showProblem()
    await call('POST', '/api/whatsapp/messages', form)
    await refresh()
    return true
  } catch (error) {
    showProblem(error.message)
    return false
  }
}

composer.addEventListener('submit', async event => {
  event.preventDefault()
  const body = text.value.trim()
  if (!attached && !body) return text.focus()
  if (await send({ text: body, mimeType: attached?.type }, attached)) {
    text.value = ''
    attach(null)
  }
})
text.addEventListener('keydown', event => {
  if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return
  event.preventDefault()
  composer.requestSubmit()
})
find('[data-file]').addEventListener('change', ({ target }) => {
  attach(target.files[0] ?? null)
  target.value = ''
})
find('[data-detach]').addEventListener('click', () => attach(null))

sender.addEventListener('submit', async event => {
  event.preventDefault()
  const typed = digits(from.value)
  if (!isNumber(typed)) return showProblem('A phone number with its country code, like +15550001111.')
  await choose(typed)
  choosing(false)
  text.focus()
})
from.addEventListener('change', () => sender.requestSubmit())
find('[data-side-toggle]').addEventListener('click', () => choosing(!page.classList.contains('choosing')))
setInterval(() => document.hidden || refresh().catch(() => {}), REFRESH_MS)

wireRecorder({
  onNote: file => send({ voice: 'true', mimeType: file.type.replace(';codecs', '; codecs') }, file),
  onProblem: showProblem,
})

const given = new URLSearchParams(location.search).get('text')
if (given) {
  text.value = given
  history.replaceState(null, '', location.pathname)
}
const remembered = localStorage.getItem(REMEMBERED)
if (remembered && isNumber(remembered)) choose(remembered)
else {
  showMessages({ messages: [] })
  choosing(true)
}
if (given) text.focus()

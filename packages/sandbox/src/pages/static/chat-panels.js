import { call, element, find, time } from './dom.js'

const form = find('#faults form')
const saved = find('[data-saved]')
const log = find('[data-deliveries]')

function fill(faults) {
  for (const [name, value] of Object.entries(faults)) {
    const field = form.elements[name]
    if (!field || field === document.activeElement) continue
    if (field.type === 'checkbox') field.checked = value
    else field.value = value
  }
}

async function loadFaults() {
  fill(await call('GET', '/api/whatsapp/faults'))
  fill({ paused: (await call('GET', '/api/whatsapp/webhooks')).paused })
}

async function saveFault({ target }) {
  const value =
    target.type === 'checkbox'
      ? target.checked
      : target.type === 'number'
        ? Number(target.value)
        : target.value
  try {
    if (target.name === 'paused') await call('POST', '/api/whatsapp/webhooks', { paused: value })
    else await call('POST', '/api/whatsapp/faults', { [target.name]: value })
    saved.textContent = 'Saved.'
  } catch (error) {
    saved.textContent = error.message
  }
}

const outcome = ({ status, attempts, answerStatus, problem }) => {
  if (status === 'delivered') return `taken (${answerStatus})`
  return `${problem ?? answerStatus ?? 'on its way'}${attempts ? `, ${attempts} tries` : ''}`
}

/** Fills the list of webhooks while it is open. */
export async function showWebhooks() {
  if (!find('#webhooks').open) return
  const { deliveries } = await call('GET', '/api/whatsapp/webhooks')
  log.replaceChildren(
    ...deliveries.slice(0, 40).map(delivery =>
      element(
        'li',
        {},
        element('span', {}, `${time(delivery.createdAt)} ${delivery.label}`),
        element(`span.badge.${delivery.status === 'delivered' ? 'good' : 'bad'}`, {}, outcome(delivery)),
        element(
          'button.quiet',
          {
            type: 'button',
            onclick: () => call('POST', `/api/whatsapp/webhooks/${delivery.id}/resend`).then(showWebhooks),
          },
          'Again',
        ),
      ),
    ),
  )
  if (!deliveries.length) log.append(element('li', {}, 'None yet.'))
}

async function showVerification() {
  const { callbackUrl, verification } = await call('GET', '/api/whatsapp/status')
  find('[data-verification]').textContent =
    `${callbackUrl}: ${verification.ok ? 'verified' : `not verified, ${verification.detail}`}.`
}

export function wirePanels() {
  form.addEventListener('change', saveFault)
  form.addEventListener('submit', event => event.preventDefault())
  find('#faults').addEventListener('toggle', loadFaults)
  find('#webhooks').addEventListener('toggle', () => {
    showVerification()
    showWebhooks()
  })
}

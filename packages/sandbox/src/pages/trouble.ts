import { Router } from 'express'
import type { Faults } from '../faults.ts'
import type { Deliveries, Delivery, Provider } from '../webhook-delivery.ts'
import { moment } from './formats.ts'
import { badge, button, type Html, html } from './html.ts'

export interface Trouble {
  provider: Provider
  faults: Pick<Faults, 'read' | 'change'>
  deliveries: Deliveries
  /** A sentence for each fault; one with choices has a sentence for each of them. */
  labels: Record<string, string | { label: string; choices: Record<string, string> }>
}

function faultField(name: string, label: Trouble['labels'][string], value: unknown) {
  if (typeof label === 'string')
    return html`<label>${label} <input type="number" name="${name}" min="0" max="999" value="${String(value)}"></label>`
  return html`<label>${label.label}
    <select name="${name}">${Object.entries(label.choices).map(
      ([choice, words]) =>
        html`<option value="${choice}"${choice === value && html` selected`}>${words}</option>`,
    )}</select></label>`
}

const deliveryRow = ({ id, label, createdAt, status, provider, ...delivery }: Delivery) => html`
  <li>
    <span>${label} <span class="hint">${moment(createdAt)}</span></span>
    ${badge(status)}
    <span class="hint">${delivery.problem ?? delivery.answerStatus}${delivery.attempts > 1 && `, ${delivery.attempts} tries`}</span>
    ${button(`/${provider}/webhooks/${id}/resend`, 'Again', {}, 'quiet')}
  </li>`

/** Entries under a heading, with the values that the server has. */
export const section = (id: string, title: string, entries: Html[], none: string, kind = 'card log') => html`
  <section data-live="${id}" aria-labelledby="${id}" class="rows">
    <h2 id="${id}">${title}</h2>
    ${entries.length ? html`<ul class="${kind}">${entries}</ul>` : html`<p class="card empty">${none}</p>`}
  </section>`

/** The switches for what goes wrong, and the webhooks with their repeats. */
export function troublePanel({ provider, faults, deliveries, labels }: Trouble) {
  const now = new Map(Object.entries(faults.read()))
  const log = deliveries.list(provider, 60)
  return html`
    <details class="card" id="trouble">
      <summary>Make something go wrong</summary>
      <form method="post" action="/${provider}/faults" class="rows">
        ${Object.entries(labels).map(([name, label]) => faultField(name, label, now.get(name)))}
        <label class="tick"><input type="checkbox" name="paused"${deliveries.paused()[provider] && html` checked`}> Hold webhooks back</label>
        <button>Save</button>
      </form>
    </details>
    ${section('deliveries', 'Webhooks', log.map(deliveryRow), 'None yet.')}`
}

/** The forms of the panel; `back` is the page that contains it. */
export function troubleForms({ provider, faults, deliveries, labels }: Trouble, back: string) {
  const router = Router()
  router.post(`/${provider}/faults`, (request, response) => {
    const { paused, ...given } = request.body
    const changes = Object.entries(given).map(([name, value]) => [
      name,
      typeof labels[name] === 'string' ? Number(value) : value,
    ])
    faults.change(Object.fromEntries(changes))
    deliveries.pause(provider, paused === 'on')
    response.redirect(303, back)
  })
  router.post(`/${provider}/webhooks/:id/resend`, (request, response) => {
    deliveries.resend(request.params.id)
    response.redirect(303, back)
  })
  return router
}

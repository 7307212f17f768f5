/** Markup that is safe to send; any other value is escaped when it is put into a template. */
export class Html {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
const escapeText = (text: string) => text.replace(/[&<>"']/g, character => ENTITIES[character] ?? character)

type Part = Html | string | number | null | undefined | false | Part[]

function asText(part: Part): string {
  if (part instanceof Html) return part.text
  if (Array.isArray(part)) return part.map(asText).join('')
  return part === null || part === undefined || part === false ? '' : escapeText(String(part))
}

/** A template whose values are escaped; `null`, `undefined` and `false` become nothing. */
export const html = (literals: TemplateStringsArray, ...parts: Part[]) =>
  new Html(literals.reduce((text, literal, place) => text + asText(parts[place - 1]) + literal))

const BADGES: Partial<Record<string, string>> = {
  active: 'good',
  paid: 'good',
  delivered: 'good',
  past_due: 'bad',
  canceled: 'bad',
  unpaid: 'bad',
  failed: 'bad',
}
export const badge = (status: string) =>
  html`<span class="badge ${BADGES[status] ?? ''}">${status.replaceAll('_', ' ')}</span>`

/** Entries under a heading, with the values that the server has. */
export const section = (id: string, title: string, entries: Html[], none: string, kind = 'card log') => html`
  <section data-live="${id}" aria-labelledby="${id}" class="rows">
    <h2 id="${id}">${title}</h2>
    ${entries.length ? html`<ul class="${kind}">${entries}</ul>` : html`<p class="card empty">${none}</p>`}
  </section>`

/** One button that posts. */
export const button = (action: string, label: string, fields: Record<string, string> = {}, kind = '') => html`
  <form method="post" action="${action}">
    ${Object.entries(fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
    <button class="${kind}">${label}</button>
  </form>`

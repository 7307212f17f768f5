import escapeHtml from 'escape-html'

/** Markup that is safe to send; templates escape any other value. */
export class Html {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

type Part = Html | string | number | null | undefined | false | Part[]

function asText(part: Part): string {
  if (part instanceof Html) return part.text
  if (Array.isArray(part)) return part.map(asText).join('')
  return part === null || part === undefined || part === false ? '' : escapeHtml(String(part))
}

/** A template that escapes its values; `null`, `undefined` and `false` become nothing. */
export const html = (literals: TemplateStringsArray, ...parts: Part[]) =>
  new Html(literals.reduce((text, literal, index) => text + asText(parts[index - 1]) + literal))

export const badge = (status: string) => html`<mark>${status.replaceAll('_', ' ')}</mark>`

export const button = (
  action: string,
  label: string,
  fields: Record<string, string> = {},
  kind = 'outline',
) => html`
  <form method="post" action="${action}">
    ${Object.entries(fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
    <button class="${kind}">${label}</button>
  </form>`

const URLS = /(https?:\/\/[^\s<>"]+[^\s<>".,;:!?)\]])/

/** Turns addresses in a text into links. Splitting by one group leaves them at odd indexes. */
export const linked = (text: string, rest: (text: string) => Part = part => part) =>
  text
    .split(URLS)
    .map((part, index) =>
      index % 2 ? html`<a href="${part}" target="_blank" rel="noreferrer noopener">${part}</a>` : rest(part),
    )

const TAGS: Record<string, string> = { '*': 'strong', _: 'em', '~': 's' }
/** WhatsApp's rule: within a line, around whole words. */
const MARKED = /(?<![\p{L}\p{N}])([*_~])(?!\s)(.{0,500}?\S)\1(?![\p{L}\p{N}])/u

/** Text with WhatsApp's `_italics_`, `*bold*` and `~struck~`. */
export function marked(text: string): Part {
  const found = MARKED.exec(text)
  if (!found) return text
  const [whole, mark = '', inside = ''] = found
  const rest = text.slice(found.index + whole.length)
  const [opened, closed] = [new Html(`<${TAGS[mark]}>`), new Html(`</${TAGS[mark]}>`)]
  return [text.slice(0, found.index), opened, marked(inside), closed, marked(rest)]
}

/** Formats integers of the smallest unit as `$4.99`. */
export const money = (cents: number, currency: string) =>
  new Intl.NumberFormat('en', { style: 'currency', currency }).format(cents / 100)

/** Formats unix seconds as a day, UTC; the page's script shows it in the reader's language. */
export function day(seconds: number): Html {
  const iso = new Date(seconds * 1000).toISOString().slice(0, 10)
  return html`<time datetime="${iso}">${iso}</time>`
}

/** Formats milliseconds since 1970 as day and time, UTC; the page's script shows the reader's language and zone. */
export function moment(ms: number): Html {
  const iso = new Date(ms).toISOString()
  return html`<time datetime="${iso}">${iso.slice(0, 19).replace('T', ' ')} UTC</time>`
}

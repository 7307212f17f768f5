import { LINK_CODE } from '@voxscribe/contracts/business'
import { directionOf, type I18n } from '@voxscribe/languages'

/** The content of a mail, from which `mailPage` makes text and HTML. */
export interface MailContent {
  paragraphs: string[]
  button?: { label: string; url: string }
  /** Small print below the button. */
  note?: string
}

const escaped = (text: string) => text.replace(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`)

const PHONE = /\+\d[\d ]{5,}\d/g
/** Keeps a link code or a phone number on one line: half of it is useless. */
const inOne = (html: string) =>
  [LINK_CODE, PHONE].reduce(
    (text, whole) => text.replace(whole, '<span style="white-space:nowrap">$&</span>'),
    html,
  )

/** A paragraph may be a note's text, which is in any language. */
const paragraph = (text: string) =>
  `<p dir="auto" style="margin:0 0 16px;overflow-wrap:anywhere">${inOne(escaped(text)).replaceAll('\n', '<br>')}</p>`

/** The web application's colors, light or dark by the reader's setting, where the mail program supports that. */
const STYLE = `:root{color-scheme:light dark}
body{margin:0;background:#fbfbf8;color:#191d33}
.sheet{background:#fff}
.small,.brand{color:#545a73}
.button{background:#2b3fb8;color:#fff}
@media (prefers-color-scheme:dark){body{background:#12141c;color:#edeef4}.sheet{background:#1a1d28}
.small,.brand{color:#a9afc4}.button{background:#a3b1ff;color:#131738}}`

/**
 * Text that mail programs turn into a link: a name like this, with a stranger's address, could advertise through us.
 */
const LINK = /[/@]|www\.|\p{L}\.\p{L}{2}/iu

/** Returns the mail as plain text and as HTML. Escapes everything, and leaves out a name that would become a link. */
export function mailPage(i18n: I18n, { paragraphs, button, note }: MailContent, name?: string) {
  const greeting = name && !LINK.test(name) ? i18n.t('Hi {name},', { name }) : i18n.t('Hello,')
  const link = button && `${button.label}:\n${button.url}`
  const text = [greeting, ...paragraphs, link, note, '— Voxscribe'].filter(Boolean).join('\n\n')
  const html = `<!doctype html>
<html lang="${i18n.locale}" dir="${directionOf(i18n)}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark"><title>Voxscribe</title><style>${STYLE}</style></head>
<body style="font:16px/1.5 system-ui,-apple-system,'Segoe UI',sans-serif">
<div style="max-width:560px;margin:0 auto;padding:24px 16px">
<p class="brand" style="margin:0 0 16px;font-weight:600">Voxscribe</p>
<div class="sheet" style="padding:24px;border-radius:12px">
${[greeting, ...paragraphs].map(paragraph).join('\n')}
${button ? buttonOf(button) : ''}${note ? `<p class="small" style="margin:0;font-size:14px">${escaped(note)}</p>` : ''}
</div></div></body></html>`
  return { text: `${text}\n`, html }
}

const buttonOf = ({ label, url }: { label: string; url: string }) =>
  `<p style="margin:0 0 16px"><a class="button" href="${escaped(url)}" style="display:inline-block;padding:12px 20px;border-radius:8px;text-decoration:none;font-weight:600">${escaped(label)}</a></p>
<p class="small" style="margin:0 0 16px;font-size:14px;word-break:break-all">${escaped(url)}</p>
`

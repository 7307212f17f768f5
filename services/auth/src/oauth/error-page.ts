import { UI_LANGUAGES, type UiLanguage } from '@voxscribe/languages'
import { i18nFor } from '@voxscribe/languages/node'
import type { Request } from 'express'

const SIGNS: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const asText = (text: string) => text.replace(/[&<>"]/g, sign => SIGNS[sign] ?? sign)

/** Returns a page for errors that can't go back to the program. `reason` is English, for the program's developers. */
export function errorPage(request: Request, publicUrl: string, reason: string): string {
  const language = (request.acceptsLanguages([...UI_LANGUAGES]) || 'en') as UiLanguage
  const i18n = i18nFor(language)
  const title = i18n.t('This program can’t be connected')
  const text = i18n.t(
    'Nothing was shared. Try again from the program. If that doesn’t help, its makers need this:',
  )
  return `<!doctype html>
<html lang="${language}" dir="${language === 'ar' ? 'rtl' : 'ltr'}">
<meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">
<title>${asText(title)} · Voxscribe</title>
<h1>${asText(title)}</h1>
<p>${asText(text)}</p>
<p><code dir="ltr">${asText(reason)}</code></p>
<p><a href="${publicUrl}">Voxscribe</a></p>
</html>
`
}

import { i18n } from '../language/i18n.ts'

/** Names of the channels by which notes come. */
const SOURCES: Record<string, string> = {
  whatsapp: 'WhatsApp',
  twilio: 'WhatsApp (Twilio)',
  telegram: 'Telegram',
  web: /*i18n*/ 'Upload',
  api: 'API',
}
export const sourceLabel = (source: string): string => i18n.t(SOURCES[source] ?? source)

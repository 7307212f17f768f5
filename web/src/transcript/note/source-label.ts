const LABELS: Record<string, string> = {
  whatsapp: 'WhatsApp',
  twilio: 'WhatsApp (Twilio)',
  web: 'Upload',
  api: 'API',
}

/** Names the channel by which a note came. */
export const sourceLabel = (source: string): string => LABELS[source] ?? source

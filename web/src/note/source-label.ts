const LABELS: Record<string, string> = {
  whatsapp: 'WhatsApp',
  twilio: 'WhatsApp (Twilio)',
  web: 'Upload',
  api: 'API',
}

/** Names the way that a note came to us. */
export const sourceLabel = (source: string): string => LABELS[source] ?? source

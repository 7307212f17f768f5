import { httpSettings, onOff, origin, trustProxy, url } from '@voxscribe/service'
import { z } from 'zod'

/** Where each service answers; the names are those of the Compose and Kubernetes services. */
const serviceUrl = (name: string) => origin.default(`http://${name}:8080`)

export const gatewaySettings = httpSettings.extend({
  PUBLIC_URL: url.default('http://localhost:8080'),
  /** How the caller's address is found behind a load balancer; see Express' `trust proxy`. */
  TRUST_PROXY: trustProxy,
  /** Origins that may call the API from a browser, by commas; none unless set. */
  CORS_ORIGINS: z
    .string()
    .default('')
    .transform(text =>
      text
        .split(',')
        .map(part => part.trim())
        .filter(Boolean),
    ),
  /** The built web application. */
  WEB_DIR: z.string().default('web/dist'),
  AUTH_URL: serviceUrl('auth'),
  BILLING_URL: serviceUrl('billing'),
  INGESTION_URL: serviceUrl('ingestion'),
  TRANSCRIPTION_URL: serviceUrl('transcription'),
  NOTIFICATION_URL: serviceUrl('notification'),
  WHATSAPP_NUMBER: z
    .string()
    .default('')
    .transform(text => text.replace(/\D/g, '')),
  SUPPORT_EMAIL: z.email('must be an e-mail address').default('support@voxscribe.example'),
  /** Serves the OpenAPI description at /api/docs. */
  API_DOCS: onOff('off'),
})
export type GatewaySettings = z.output<typeof gatewaySettings>

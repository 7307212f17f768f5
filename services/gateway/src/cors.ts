import cors from 'cors'
import type { Express } from 'express'

/** Other origins may call the API only when they are named in the settings. */
export function mountCors(app: Express, origins: string[]): void {
  if (!origins.length) return
  app.use(
    '/api',
    cors({
      origin: origins,
      exposedHeaders: ['retry-after', 'x-expected-bytes', 'x-request-id', 'x-subscription-source'],
      maxAge: 600,
    }),
  )
}

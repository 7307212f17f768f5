import { fileURLToPath } from 'node:url'
import express, { type NextFunction, type Request, type Response } from 'express'
import type { Logger } from 'pino'
import { answerInputErrors } from './input.ts'
import type { Section } from './pages/layout.ts'
import { whatsappPages } from './pages/whatsapp-page.ts'
import type { WhatsAppRoutes } from './whatsapp/index.ts'

const STATIC = fileURLToPath(new URL('./pages/static', import.meta.url))

/** Every door of the sandbox. The simulated APIs share one origin: Graph below `/vNN.N`, Stripe below `/v1`. */
export function createSandboxApp(deps: { appUrl: string; log: Logger; whatsapp?: WhatsAppRoutes }) {
  const { appUrl, log, whatsapp } = deps
  const shown: Section[] = [...(whatsapp ? (['whatsapp'] as const) : [])]
  const app = express()
  app.disable('x-powered-by')
  app.use('/api', sameOriginOnly)
  app.use('/static', express.static(STATIC))
  if (whatsapp) {
    app.use(/^\/v\d{1,3}\.\d{1,2}(?=\/)/, whatsapp.graph)
    app.use('/whatsapp-media', whatsapp.media)
    app.use('/api/whatsapp', whatsapp.api)
    app.use(whatsappPages({ number: whatsapp.number, shown, appUrl }))
  }
  app.get('/', (_request, response) =>
    response.redirect(shown[0] === 'payments' ? '/stripe' : `/${shown[0] ?? 'mail'}`),
  )
  app.use((_request: Request, response: Response) => {
    response.status(404).json({ error: 'Not found' })
  })
  app.use(answerInputErrors)
  app.use((error: unknown, request: Request, response: Response, next: NextFunction) => {
    log.error({ err: error, path: request.path }, 'sandbox')
    if (response.headersSent) return next(error)
    response.status(500).json({ error: 'Server error' })
  })
  return app
}

/** Other web sites that are open in the same browser must not be able to press buttons here. */
function sameOriginOnly(request: Request, response: Response, next: NextFunction) {
  const site = request.get('sec-fetch-site')
  if (site && site !== 'same-origin' && site !== 'none')
    response.status(403).json({ error: 'Only from this page' })
  else next()
}

import { join } from 'node:path'
import { defineStateless, offerOf } from '@voxscribe/service'
import cors from 'cors'
import type { Express } from 'express'
import express, { Router } from 'express'
import { admitKeys } from './api-keys.ts'
import { mountComposed } from './compose.ts'
import { mountExport } from './export.ts'
import { mountMcp } from './mcp.ts'
import { mountOAuth } from './oauth.ts'
import { refuseMisplaced } from './openai/addresses.ts'
import { openAiRoutes } from './openai/routes.ts'
import { refuseWhenOverloaded } from './overload.ts'
import { createPeers } from './peers.ts'
import { createPass, mountProxies, mountWebhooks } from './proxy.ts'
import { configRoute } from './public-config.ts'
import { noteRenewals } from './renewals.ts'
import { gatewaySettings } from './settings.ts'
import { createSubscriptionOf } from './subscription-of.ts'
import { mountSecurityHeaders, mountWebApp } from './web-app.ts'

/** The only public port: the web application, the API of all services, and the webhooks. */
export const gatewayService = defineStateless({
  name: 'gateway',
  settings: gatewaySettings,
  build: async ({ settings, log, localServices }) => {
    const peers = createPeers(settings)
    const pass = createPass(peers, localServices, log)
    const docs = Router()
    if (settings.API_DOCS) await mountApiDocs(docs)
    return {
      routes: [configRoute(settings, peers)],
      mount: app => {
        app.use('/webhooks', refuseWhenOverloaded())
        mountWebhooks(app, pass)
        mountSecurityHeaders(app, settings.PUBLIC_URL)
        mountCors(app, settings.CORS_ORIGINS)
        app.use(docs)
        app.use(refuseMisplaced)
        app.use('/api', noteRenewals(peers), admitKeys(peers))
        app.use('/v1', openAiRoutes(peers))
        mountOAuth(app, pass, settings.PUBLIC_URL)
        mountMcp(app, peers, settings.PUBLIC_URL)
        const subscriptionOf = createSubscriptionOf(peers, offerOf(settings).freeMinutes)
        mountExport(app, peers, subscriptionOf)
        mountComposed(app, peers, subscriptionOf, log)
        mountProxies(app, pass)
        mountWebApp(app, settings.WEB_DIR)
      },
    }
  },
})

/** Lets only the origins named in the settings call the API. */
function mountCors(app: Express, origins: string[]): void {
  if (!origins.length) return
  app.use(
    ['/api', '/v1'],
    cors({
      origin: origins,
      exposedHeaders: [
        'accept-ranges',
        'content-disposition',
        'content-range',
        'etag',
        'ratelimit',
        'ratelimit-policy',
        'retry-after',
        'x-expected-bytes',
        'x-request-id',
        'x-subscription-source',
      ],
      maxAge: 600,
    }),
  )
}

/** Swagger UI's entry file; the page itself is in the package. */
const INITIALIZER = `window.onload = () => {
  document.documentElement.classList.toggle('dark-mode', matchMedia('(prefers-color-scheme: dark)').matches)
  document.title = 'API · Voxscribe'
  window.ui = SwaggerUIBundle({ url: '/api/docs/openapi.json', dom_id: '#swagger-ui', deepLinking: true })
}
`

/** Serves the API's description and a page to try it at /api/docs. Production lacks Swagger UI, a dev dependency. */
async function mountApiDocs(router: Router): Promise<void> {
  // The package's main file would load the page's script, which is half a megabyte.
  const { default: folderOfPage } = await import('swagger-ui-dist/absolute-path.js')
  router.get('/api/docs/openapi.json', async (_request, response) => {
    const { openApiDocument } = await import('@voxscribe/contracts/openapi')
    response.json(openApiDocument())
  })
  router.get('/api/docs/swagger-initializer.js', (_request, response) => {
    response.type('js').send(INITIALIZER)
  })
  router.get('/api/docs/index.css', (_request, response) => {
    response.sendFile(join(import.meta.dirname, 'api-docs.css'))
  })
  router.use('/api/docs', express.static(folderOfPage()))
}

import { defineStateless } from '@voxscribe/service'
import { Router } from 'express'
import { mountApiDocs } from './api-docs.ts'
import { admitKeys } from './api-keys.ts'
import { mountComposed } from './compose.ts'
import { mountCors } from './cors.ts'
import { mountExport } from './export.ts'
import { mountMcp } from './mcp.ts'
import { openAiRoutes } from './openai/routes.ts'
import { refuseWhenOverloaded } from './overload.ts'
import { createPeers } from './peers.ts'
import { mountProxies } from './proxy.ts'
import { configRoute } from './public-config.ts'
import { gatewaySettings } from './settings.ts'
import { createSubscriptionOf } from './subscription-of.ts'
import { mountSecurityHeaders, mountWebApp } from './web-app.ts'

/** The only public port: the web application, the API of all services under one roof, and the webhooks. */
export const gatewayService = defineStateless({
  name: 'gateway',
  settings: gatewaySettings,
  build: async ({ settings, log, neighbours }) => {
    const peers = createPeers(settings)
    const docs = Router()
    if (settings.API_DOCS) await mountApiDocs(docs)
    return {
      routes: [configRoute(settings, peers)],
      mount: app => {
        app.use('/webhooks', refuseWhenOverloaded())
        mountSecurityHeaders(app, settings.PUBLIC_URL)
        mountCors(app, settings.CORS_ORIGINS)
        app.use(docs)
        app.use('/api', admitKeys(peers))
        app.use('/v1', openAiRoutes(peers))
        mountMcp(app, peers)
        const subscriptionOf = createSubscriptionOf(peers)
        mountExport(app, peers, subscriptionOf)
        mountComposed(app, peers, subscriptionOf, log)
        mountProxies(app, peers, neighbours, log)
        mountWebApp(app, settings.WEB_DIR)
      },
    }
  },
})

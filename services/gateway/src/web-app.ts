import { resolve } from 'node:path'
import compression from 'compression'
import express, { type Express } from 'express'
import helmet from 'helmet'

/** Sets headers for an application without inline scripts or other origins, and hides shared notes from crawlers. */
export function mountSecurityHeaders(app: Express, publicUrl: string): void {
  const https = publicUrl.startsWith('https:')
  app.use(
    helmet({
      contentSecurityPolicy: {
        useDefaults: false,
        directives: {
          defaultSrc: ["'self'"],
          baseUri: ["'self'"],
          connectSrc: ["'self'"],
          fontSrc: ["'self'"],
          formAction: ["'self'"],
          frameAncestors: ["'none'"],
          imgSrc: ["'self'", 'data:'],
          // People can listen to a recording before they send it.
          mediaSrc: ["'self'", 'blob:'],
          objectSrc: ["'none'"],
          scriptSrc: ["'self'"],
          scriptSrcAttr: ["'none'"],
          styleSrc: ["'self'"],
          // On plain http this would make the page unreachable on a developer's machine.
          ...(https ? { upgradeInsecureRequests: [] } : {}),
        },
      },
      strictTransportSecurity: https,
      xFrameOptions: { action: 'deny' },
    }),
  )
  // Responses are personal or contain tokens; a response that may be cached overrides this.
  app.use(['/api', '/v1', '/mcp'], (_request, response, next) => {
    response.set('cache-control', 'no-store')
    next()
  })
  app.use(['/s', '/api/shared'], (_request, response, next) => {
    response.set('x-robots-tag', 'noindex')
    next()
  })
}

const YEAR = 365 * 24 * 60 * 60 * 1000

/** Serves the built application: hashed files are cached forever, `index.html` never. It's sent for every screen. */
export function mountWebApp(app: Express, webDir: string): void {
  const root = resolve(webDir)
  const hashed = { immutable: true, maxAge: YEAR, fallthrough: false, index: false } as const
  app.use('/assets', compression(), express.static(resolve(root, 'assets'), hashed))
  app.use(compression(), express.static(root, { index: false, maxAge: '1h' }))
  app.get('/*path', sendIndex(root))
  app.get('/', sendIndex(root))
}

const sendIndex =
  (root: string): express.RequestHandler =>
  (request, response, next) => {
    if (/^\/(api|webhooks|mcp|\.well-known)(\/|$)/i.test(request.path)) return next()
    response.set('cache-control', 'no-cache, no-store, must-revalidate')
    response.sendFile(
      resolve(root, 'index.html'),
      { cacheControl: false, etag: false },
      error => error && next(error),
    )
  }

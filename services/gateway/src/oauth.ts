import { KeyScope } from '@voxscribe/contracts/http'
import cors from 'cors'
import type { Express, Request, Response } from 'express'
import type { Pass } from './proxy.ts'

const RESOURCE_DOCUMENT = '/.well-known/oauth-protected-resource'
const SERVER_DOCUMENT = '/.well-known/oauth-authorization-server'

/** Serves OAuth: the discovery documents, and a proxy to auth for the rest. Pages of any origin may call it. */
export function mountOAuth(app: Express, pass: Pass, publicUrl: string): void {
  app.use(
    [RESOURCE_DOCUMENT, SERVER_DOCUMENT, '/oauth', '/mcp'],
    cors({
      exposedHeaders: ['www-authenticate', 'ratelimit', 'ratelimit-policy', 'retry-after'],
      maxAge: 600,
    }),
  )
  app.get([RESOURCE_DOCUMENT, `${RESOURCE_DOCUMENT}/mcp`, `${RESOURCE_DOCUMENT}/v1`], (request, response) => {
    const door = request.path.endsWith('/v1') ? 'v1' : 'mcp'
    response.json({
      resource: `${publicUrl}/${door}`,
      authorization_servers: [publicUrl],
      scopes_supported: KeyScope.options,
      bearer_methods_supported: ['header'],
    })
  })
  app.use([SERVER_DOCUMENT, '/oauth'], pass('auth'))
}

/** Adds the header that tells a refused program where to sign in, and which scopes to request. */
export function challenge(
  response: Response,
  publicUrl: string,
  error?: 'invalid_token' | 'insufficient_scope',
): void {
  const metadata = `${publicUrl}${RESOURCE_DOCUMENT}/mcp`
  const said = { resource_metadata: metadata, scope: KeyScope.options.join(' '), ...(error && { error }) }
  const parts = Object.entries(said).map(([name, value]) => `${name}="${value}"`)
  response.set('www-authenticate', `Bearer ${parts.join(', ')}`)
}

/** No dots: this excludes session tokens, which open neither door. */
const TOKEN = /^Bearer +([\w-]{1,200})$/i

/** Returns the API key or OAuth access token of a program that calls `/mcp` or `/v1`. */
export const programSecretIn = ({ headers }: Request): string | undefined =>
  TOKEN.exec(headers.authorization ?? '')?.[1]

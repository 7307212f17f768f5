import { api, type BodyOf, type EndpointShape, type Failure, type KeyScope } from '@voxscribe/contracts/http'
import { refusal } from '@voxscribe/service'
import type { Request, RequestHandler, Response } from 'express'
import { type Peers, traceOf } from './peers.ts'

const SECRET = /^Bearer +(vox_\S+)$/i

/** Calls that API keys may make, longer paths first, so that `/transcriptions/stats` isn't taken for an id. */
const keyCalls = Object.values<EndpointShape>(api)
  .filter(({ scope }) => scope)
  .map(({ method, path, scope }) => ({
    method,
    scope,
    path: new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}/?$`),
  }))

function scopeOf({ method, path }: Request): KeyScope | undefined {
  const wanted = method === 'HEAD' ? 'GET' : method
  return keyCalls.find(call => call.method === wanted && call.path.test(path))?.scope
}

/**
 * Replaces the caller's API key, or its OAuth token for this door, with an access token, and sets the rate limit
 * headers. Returns the scopes and the owner, or auth's refusal (401, 403, 429) for the caller to send.
 */
export async function exchangeKey(
  peers: Peers,
  secret: string,
  { scope, door }: Pick<BodyOf<typeof api.useKey>, 'scope' | 'door'>,
  request: Request,
  response: Response,
): Promise<{ userId: string; scopes: KeyScope[] } | { status: number; refusal: Failure }> {
  const body = { secret, scope, door, address: request.ip ?? '' }
  const answer = await peers.call(api.useKey, { body }, traceOf(request))
  if (!answer || answer.status >= 500) throw refusal('unavailable')
  // A key may be exchanged again while the response is streaming.
  const canSetHeaders = !response.headersSent
  if (answer.status === 429 && canSetHeaders)
    response.set({ 'retry-after': answer.retryAfter, ratelimit: `"key";r=0;t=${answer.retryAfter}` })
  if (!answer.body.success) return { status: answer.status, refusal: answer.body }
  const { userId, accessToken, scopes, limit } = answer.body.data
  const { points, left, resetSeconds } = limit
  if (resetSeconds && canSetHeaders) {
    response.set('ratelimit-policy', `"key";q=${points};w=60`)
    response.set('ratelimit', `"key";r=${left};t=${resetSeconds}`)
  }
  request.headers.authorization = `Bearer ${accessToken}`
  return { userId, scopes }
}

const keyIn = (request: Request): string | undefined => SECRET.exec(request.headers.authorization ?? '')?.[1]

/** Admits programs to /api: replaces their API key with an access token in calls that keys may make. */
export function admitKeys(peers: Peers): RequestHandler {
  return async (request, response, next) => {
    const secret = keyIn(request)
    if (!secret) return next()
    const scope = scopeOf(request)
    if (!scope) throw refusal('not_for_keys')
    const admitted = await exchangeKey(peers, secret, { scope }, request, response)
    if ('refusal' in admitted) return void response.status(admitted.status).json(admitted.refusal)
    next()
  }
}

import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { MAX_FILE_BYTES } from '@voxscribe/contracts/limits'
import { createHeld, inTime, leftSignal, refusal, refusedFor, refuseOtherMethods } from '@voxscribe/service'
import express, { type Express } from 'express'
import { exchangeKey, keyIn } from './api-keys.ts'
import type { Peers } from './peers.ts'

/** Bytes of a call without a file. */
const CALL_MAX_BYTES = 64 * 1024
/** Base64 of the largest file, and the call around it. */
const BODY_MAX_BYTES = (MAX_FILE_BYTES * 4) / 3 + CALL_MAX_BYTES
const COME_AGAIN_SECONDS = 5
/** A call with a file is held whole, several times over: as JSON, as bytes, as a form; about 80 MB at most. */
const FILES = { inAll: 6, ofCaller: 2 }

/**
 * `POST /mcp`: the Model Context Protocol over streamable HTTP, by API key; each call stands alone. Pages of other
 * `origins` are refused, as the protocol demands.
 */
export function mountMcp(app: Express, peers: Peers, origins: string[]): void {
  // Not inflated: a small body may become a large one.
  const readCall = inTime(express.json({ limit: CALL_MAX_BYTES, inflate: false }))
  const readFile = express.json({ limit: BODY_MAX_BYTES, inflate: false })
  const holdFile = createHeld(FILES)
  app.post('/mcp', async (request, response, next) => {
    const { origin } = request.headers
    if (origin && !origins.includes(origin)) return void response.status(403).json(OTHER_ORIGIN)
    const secret = keyIn(request)
    if (!secret) throw refusal('api_key_missing')
    const admitted = await exchangeKey(peers, secret, undefined, request, response)
    if ('refusal' in admitted) return void response.status(admitted.status).json(admitted.refusal)
    const { scopes, userId } = admitted
    const isSmall = Number(request.headers['content-length'] ?? Number.POSITIVE_INFINITY) <= CALL_MAX_BYTES
    const mayBeFile = !isSmall && scopes.includes('write')
    if (mayBeFile && !holdFile(userId, request, response)) {
      // A client that is still sending reads the answer only when the rest is taken.
      request.resume()
      throw refusedFor(COME_AGAIN_SECONDS, 'too_many_files')
    }
    const readBody = mayBeFile ? readFile : readCall
    readBody(request, response, async error => {
      if (error?.type === 'entity.parse.failed') return void response.status(400).json(NOT_JSON)
      if (error) return next(error)
      if (Array.isArray(request.body)) return void response.status(400).json(ONE_AT_A_TIME)
      // The protocol is loaded with its first call.
      const { answerTo } = await import('./mcp-tools.ts')
      const answer = await answerTo(peers, request, scopes, leftSignal(response))
      response.status(answer.status).set(Object.fromEntries(answer.headers))
      if (answer.body) await pipeline(Readable.fromWeb(answer.body as never), response).catch(() => {})
      response.end()
    })
  })
  refuseOtherMethods(app, '/mcp', ['POST'])
  // Programs that look for OAuth try this address last, and show people the sentence.
  app.post('/register', (_request, response) => void response.status(400).json(NO_OAUTH))
}

const failure = (code: number, message: string) => ({ jsonrpc: '2.0', id: null, error: { code, message } })
/** A key has so many calls a minute: a batch would be one. */
const ONE_AT_A_TIME = failure(-32600, 'Invalid Request: send one call at a time')
const NO_OAUTH = {
  error: 'invalid_client_metadata',
  error_description:
    'There is no sign-in by OAuth here. Send an API key of your profile as “Authorization: Bearer vox_…”.',
}
const NOT_JSON = failure(-32700, 'Parse error')
const OTHER_ORIGIN = failure(-32000, 'Forbidden: this origin is not in CORS_ORIGINS')

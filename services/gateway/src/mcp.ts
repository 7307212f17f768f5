import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { KeyScope } from '@voxscribe/contracts/http'
import { MAX_FILE_BYTES } from '@voxscribe/contracts/limits'
import {
  createBodySlots,
  leftSignal,
  type Problem,
  refusal,
  refusedFor,
  refuseOtherMethods,
  withBodyTimeout,
} from '@voxscribe/service'
import express, { type Express } from 'express'
import { exchangeKey } from './api-keys.ts'
import { challenge, programSecretIn } from './oauth.ts'
import type { Peers } from './peers.ts'

/** Largest body of a call without a file, in bytes. */
const CALL_MAX_BYTES = 64 * 1024
/** The largest file in Base64, with the rest of the call. */
const BODY_MAX_BYTES = (MAX_FILE_BYTES * 4) / 3 + CALL_MAX_BYTES
const RETRY_AFTER_SECONDS = 5
/** A call with a file is in memory several times (as JSON, bytes and form), about 80 MB at most. */
const FILES = { total: 6, perCaller: 2 }

/**
 * `POST /mcp`: the Model Context Protocol over streamable HTTP, by API key or OAuth; calls are independent. Pages of
 * any origin may call it, because it requires a secret that browsers don't send by themselves.
 */
export function mountMcp(app: Express, peers: Peers, publicUrl: string): void {
  // Compressed bodies aren't accepted: a small one may inflate to a large one.
  const readCall = withBodyTimeout(express.json({ limit: CALL_MAX_BYTES, inflate: false }))
  const readFile = express.json({ limit: BODY_MAX_BYTES, inflate: false })
  const takeSlot = createBodySlots(FILES)
  app.post('/mcp', async (request, response, next) => {
    const secret = programSecretIn(request)
    if (!secret) {
      challenge(
        response,
        publicUrl,
        request.headers.authorization === undefined ? undefined : 'invalid_token',
      )
      throw refusal('api_key_missing')
    }
    const admitted = await exchangeKey(peers, secret, { door: 'mcp' }, request, response)
    if ('refusal' in admitted) {
      if (admitted.status === 401) challenge(response, publicUrl, 'invalid_token')
      return void response.status(admitted.status).json(admitted.refusal)
    }
    const { scopes, userId } = admitted
    const isSmall = Number(request.headers['content-length'] ?? Number.POSITIVE_INFINITY) <= CALL_MAX_BYTES
    const mayBeFile = !isSmall && scopes.includes('write')
    if (mayBeFile && !takeSlot(userId, request, response)) {
      // A client that is still sending reads the response only once its body is consumed.
      request.resume()
      throw refusedFor(RETRY_AFTER_SECONDS, 'too_many_files')
    }
    /** The challenge lets the program ask its user for another scope. */
    function lacking(scope: KeyScope): Problem {
      challenge(response, publicUrl, 'insufficient_scope')
      return refusal('missing_scope', { scope })
    }
    const readBody = mayBeFile ? readFile : readCall
    async function answer(error: { type?: string } | undefined): Promise<void> {
      if (error?.type === 'entity.parse.failed') return void response.status(400).json(NOT_JSON)
      // Only a call with a file is this large.
      if (error?.type === 'entity.too.large' && !scopes.includes('write')) return next(lacking('write'))
      if (error) return next(error)
      if (Array.isArray(request.body)) return void response.status(400).json(ONE_AT_A_TIME)
      // Loads the protocol on the first call.
      const { answerTo, scopeOf } = await import('./mcp-tools.ts')
      const needed = scopeOf(request.body)
      if (needed && !scopes.includes(needed)) return next(lacking(needed))
      const { status, headers, body } = await answerTo(peers, request, scopes, leftSignal(response))
      response.status(status).set(Object.fromEntries(headers))
      if (body) await pipeline(Readable.fromWeb(body as never), response).catch(() => {})
      response.end()
    }
    // The parser ignores what a callback returns: a rejection would end the process.
    readBody(request, response, error => void answer(error).catch(next))
  })
  refuseOtherMethods(app, '/mcp', ['POST'])
}

const failure = (code: number, message: string) => ({ jsonrpc: '2.0', id: null, error: { code, message } })
/** The rate limit counts HTTP requests, so a batch would count as one call. */
const ONE_AT_A_TIME = failure(-32600, 'Invalid Request: send one call at a time')
const NOT_JSON = failure(-32700, 'Parse error')

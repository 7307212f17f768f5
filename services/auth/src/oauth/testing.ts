import { createHash, randomBytes } from 'node:crypto'
import type { Auth } from '../testing.ts'

export const ISSUER = 'http://localhost:8080'
export const REDIRECT = 'http://127.0.0.1:4711/callback'

/** Returns a PKCE verifier and its challenge. */
export function pkce() {
  const verifier = randomBytes(32).toString('base64url')
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') }
}

type Question = Record<string, string>

/** Simulates an OAuth program and a person's browser. */
export function createProgram(auth: Pick<Auth, 'url'>) {
  const post = (path: string, type: string, body: string) =>
    fetch(`${auth.url}${path}`, { method: 'POST', headers: { 'content-type': type }, body })
  const form = (path: string, body: Record<string, string>) =>
    post(path, 'application/x-www-form-urlencoded', new URLSearchParams(body).toString())
  const jsonOf = async (response: Response) => ({ status: response.status, body: await response.json() })

  const program = {
    form,
    register: async (more: object = {}) =>
      jsonOf(
        await post(
          '/oauth/register',
          'application/json',
          JSON.stringify({ client_name: 'Claude', redirect_uris: [REDIRECT], ...more }),
        ),
      ),
    /** Opens the authorization address like a browser. */
    async authorize(clientId: string, more: Question = {}, challenge = pkce().challenge) {
      const query = new URLSearchParams({
        ...{ response_type: 'code', client_id: clientId, redirect_uri: REDIRECT, scope: 'read', state: 'st' },
        ...{ code_challenge: challenge, code_challenge_method: 'S256', ...more },
      })
      const response = await fetch(`${auth.url}/oauth/authorize?${query}`, { redirect: 'manual' })
      const to = response.headers.get('location') ?? ''
      const cookies = response.headers.getSetCookie().map(cookie => cookie.split(';')[0] ?? '')
      return {
        status: response.status,
        to,
        cookies,
        text: await response.text(),
        uid: to.split('/').at(-1) ?? '',
      }
    },
    /** Sends the answer as our page does, and follows the redirect to the program. */
    async answer(uid: string, cookies: string[], accessToken: string, allow: unknown = true) {
      const headers = {
        ...{ 'content-type': 'application/json', authorization: `Bearer ${accessToken}` },
        cookie: cookies.join('; '),
      }
      const body = JSON.stringify({ allow })
      const said = await fetch(`${auth.url}/api/oauth/interactions/${uid}`, { method: 'POST', headers, body })
      const answered = (await said.json()) as { data?: { redirectTo: string } }
      const redirectTo = answered.data?.redirectTo
      if (!redirectTo) return { status: said.status, back: new URL('http://nowhere'), page: '', cookies: [] }
      const resumed = await fetch(redirectTo.replace(ISSUER, auth.url), {
        headers: { cookie: cookies.join('; ') },
        redirect: 'manual',
      })
      const location = resumed.headers.get('location')
      const page = await resumed.text()
      const set = resumed.headers
        .getSetCookie()
        .map(cookie => cookie.split(';')[0] ?? '')
        .filter(cookie => !cookie.endsWith('='))
      return { status: resumed.status, back: new URL(location ?? 'http://nowhere'), page, cookies: set }
    },
    exchange: async (clientId: string, code: string, verifier: string, more: Question = {}) =>
      jsonOf(
        await form('/oauth/token', {
          ...{ grant_type: 'authorization_code', client_id: clientId, code, code_verifier: verifier },
          ...{ redirect_uri: REDIRECT, ...more },
        }),
      ),
    refresh: async (clientId: string, token: string, more: Question = {}) =>
      jsonOf(
        await form('/oauth/token', {
          ...{ grant_type: 'refresh_token', client_id: clientId, refresh_token: token, ...more },
        }),
      ),
    /** Uses a token at one of the gateway's doors. */
    use: async (secret: string, door: 'mcp' | 'v1' = 'mcp', scope?: 'read' | 'write') =>
      jsonOf(
        await post(
          '/internal/keys/use',
          'application/json',
          JSON.stringify({ secret, door, scope, address: '192.0.2.1' }),
        ),
      ),
    /** Returns a code for a new program that this person allows. */
    async letIn(accessToken: string, more: Question = {}) {
      const { client_id: clientId } = (await program.register()).body
      const { verifier, challenge } = pkce()
      const { uid, cookies } = await program.authorize(clientId, more, challenge)
      const { back } = await program.answer(uid, cookies, accessToken)
      return { clientId, verifier, code: back.searchParams.get('code') ?? '' }
    },
    /** Returns a new program that this person has connected. */
    async connect(accessToken: string, more: Question = {}) {
      const { clientId, verifier, code } = await program.letIn(accessToken, more)
      const { body } = await program.exchange(clientId, code, verifier)
      return { clientId, code, verifier, access: body.access_token, refresh: body.refresh_token, said: body }
    },
  }
  return program
}

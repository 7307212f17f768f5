import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import jwt from 'jsonwebtoken'
import Provider, { type Configuration } from 'oidc-provider'
import { cookieOf } from '../testing.ts'

const CLIENT = { client_id: 'voxscribe', client_secret: 'a secret of the provider' }
const BACK = '/signed-in'

export interface Person {
  sub: string
  email?: string
  email_verified?: unknown
  given_name?: string
  family_name?: string
  name?: string
}
type IdToken = Record<string, unknown> & { iat: number; exp: number }

const newKey = (kid: string) => ({ kid, ...generateKeyPairSync('ec', { namedCurve: 'P-256' }) })

/** Starts an OpenID provider on loopback, built on a common library, and the browser of a person signed in there. */
export async function startProvider(more: Configuration = {}) {
  let person: Person = { sub: 'nobody' }
  let key: { kid: string; publicKey: KeyObject; privateKey: KeyObject } = newKey('first')
  let signer = key.privateKey
  let change = (token: IdToken): object => token
  let isAway = false
  let says: object | undefined
  const server = createServer((request, response) => {
    if (isAway) return void response.writeHead(503).end()
    if (request.url?.startsWith('/interaction/'))
      return void provider.interactionFinished(
        request,
        response,
        (says as never) ?? { login: { accountId: person.sub } },
      )
    void provider.callback()(request, response)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const provider = new Provider(issuer, {
    clients: [
      { ...CLIENT, redirect_uris: [`http://localhost${BACK}`], id_token_signed_response_alg: 'ES256' },
    ],
    jwks: { keys: [{ ...newKey('own').privateKey.export({ format: 'jwk' }), kid: 'own' }] },
    claims: { email: ['email', 'email_verified'], profile: ['given_name', 'family_name', 'name'] },
    enabledJWA: { idTokenSigningAlgValues: ['ES256'] },
    cookies: { keys: ['of this test'] },
    ttl: { AccessToken: 60, AuthorizationCode: 60, Grant: 60, IdToken: 60, Interaction: 60, Session: 60 },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
    findAccount: (_ctx, accountId) => ({ accountId, claims: () => ({ ...person, sub: accountId }) }),
    async loadExistingGrant({ oidc }) {
      const grant = new provider.Grant({
        clientId: CLIENT.client_id,
        accountId: oidc.session?.accountId ?? '',
      })
      grant.addOIDCScope('openid email profile')
      await grant.save()
      return grant
    },
    ...more,
  })
  // Voxscribe may run on any port.
  provider.Client.prototype.redirectUriAllowed = address => new URL(address).pathname === BACK
  // The test owns the keys, so that it can rotate them and sign anything.
  provider.use(async (ctx, next) => {
    await next()
    if (ctx.path === '/jwks')
      ctx.body = {
        keys: [{ ...key.publicKey.export({ format: 'jwk' }), kid: key.kid, alg: 'ES256', use: 'sig' }],
      }
    const said = ctx.body as { id_token?: string }
    if (ctx.path === '/token' && said.id_token)
      ctx.body = {
        ...said,
        id_token: jwt.sign(change(jwt.decode(said.id_token) as IdToken), signer, {
          algorithm: 'ES256',
          keyid: key.kid,
        }),
      }
  })

  /** Follows the browser from the provider's address back to ours. Returns the query that it brings. */
  async function follow(address: string): Promise<Record<string, string>> {
    const cookies = new Map<string, string>()
    for (let to = address; ; ) {
      const { pathname, searchParams } = new URL(to)
      if (pathname === BACK) return Object.fromEntries(searchParams)
      const cookie = [...cookies].map(pair => pair.join('=')).join('; ')
      const response = await fetch(to, { headers: { cookie }, redirect: 'manual' })
      for (const set of response.headers.getSetCookie()) {
        const [name = '', value = ''] = set.split(';')[0]?.split('=') ?? []
        cookies.set(name, value)
      }
      const location = response.headers.get('location')
      if (!location) throw new Error(`${response.status} at ${to}: ${await response.text()}`)
      to = new URL(location, to).href
    }
  }

  return {
    issuer,
    settings: {
      OIDC_ISSUER: issuer,
      OIDC_CLIENT_ID: CLIENT.client_id,
      OIDC_CLIENT_SECRET: CLIENT.client_secret,
      OIDC_NAME: 'Lab',
    },
    follow,
    /** Signs this person in at the provider, and resets everything else. */
    is(next: Person) {
      person = next
      change = token => token
      signer = key.privateKey
      isAway = false
      says = undefined
    },
    refuses(error = 'access_denied') {
      says = { error }
    },
    goesAway() {
      isAway = true
    },
    rotates() {
      key = newKey(`next to ${key.kid}`)
      signer = key.privateKey
    },
    changes(changed: (token: IdToken) => object) {
      change = changed
    },
    isSignedByAStranger() {
      signer = newKey('stranger').privateKey
    },
    async stop() {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}
export type TestProvider = Awaited<ReturnType<typeof startProvider>>

/** Goes to the provider and back. Returns the browser's query and its cookie. */
export async function comeBack(
  auth: {
    post(path: string, body: unknown): Promise<{ headers: Headers; body: { data?: { url: string } } }>
  },
  provider: TestProvider,
) {
  const started = await auth.post('/auth/oidc/start', {})
  return { came: await provider.follow(started.body.data?.url ?? ''), cookie: cookieOf(started.headers) }
}

import { generateKeyPairSync } from 'node:crypto'
import { KeyScope } from '@voxscribe/contracts/http'
import { oneLine } from '@voxscribe/contracts/wording'
import { type Logger, networkOf } from '@voxscribe/service'
import type { Request } from 'express'
import Provider, {
  type Configuration,
  errors,
  type KoaContextWithOIDC,
  type ResourceServer,
} from 'oidc-provider'
import type { Deps } from '../deps.ts'
import { errorPage } from './error-page.ts'
import { checkProgram, fetchDocument, mayRedirect } from './programs.ts'
import { accountIdOf, cookieNameOf, ownerOf, UNUSED_SECONDS } from './store.ts'

export interface OAuthDeps
  extends Pick<Deps, 'users' | 'sessions' | 'oauth' | 'limits' | 'publicUrl' | 'isPrivateAllowed'> {
  log: Logger
}

const ROUTES = {
  authorization: '/oauth/authorize',
  token: '/oauth/token',
  registration: '/oauth/register',
  revocation: '/oauth/revoke',
  jwks: '/oauth/jwks',
}
const DOCUMENT_PATH = '/.well-known/oauth-authorization-server'
const CODE_SECONDS = 60
const ACCESS_TOKEN_SECONDS = 3_600
const QUESTION_SECONDS = 600
/** Fields kept in the server's metadata; the library adds others for OpenID Connect. */
const METADATA_FIELDS = [
  'issuer',
  'authorization_endpoint',
  'token_endpoint',
  'registration_endpoint',
  'revocation_endpoint',
  'response_types_supported',
  'grant_types_supported',
  'code_challenge_methods_supported',
  'token_endpoint_auth_methods_supported',
  'client_id_metadata_document_supported',
  'authorization_response_iss_parameter_supported',
]
/** Creates the OAuth 2.1 server: public clients, codes with PKCE, tokens for `/mcp` or `/v1`. */
export function createProvider({
  users,
  oauth,
  limits,
  publicUrl,
  isPrivateAllowed,
  log,
}: OAuthDeps): Provider {
  const resources = [`${publicUrl}/mcp`, `${publicUrl}/v1`]

  function resourceServer({ oidc }: KoaContextWithOIDC, resource: string): ResourceServer {
    const { params = {}, route } = oidc
    if (!resources.includes(resource) || Array.isArray(params.resource)) throw new errors.InvalidTarget()
    if (route === 'authorization') params.scope = scopesIn(params.scope).join(' ')
    return {
      scope: KeyScope.options.join(' '),
      audience: resource,
      accessTokenTTL: ACCESS_TOKEN_SECONDS,
      accessTokenFormat: 'opaque',
    }
  }

  /** Allows fetching documents during authorization, rate-limited; later only for programs that are connected. */
  async function mayFetch({ oidc, req }: KoaContextWithOIDC, clientId: string): Promise<boolean> {
    if (oidc.route !== 'authorization') return oauth.knows(clientId)
    return limits.program.count(networkOf((req as Request).ip ?? '')).then(
      () => true,
      () => false,
    )
  }

  /** Throws for a wrong resource before the refresh token is used up; the library checks it only afterwards. */
  function rotateFor({ oidc }: KoaContextWithOIDC): true {
    const { params: { resource } = {}, entities } = oidc
    if (resource && resource !== entities.RefreshToken?.resource) throw new errors.InvalidTarget()
    return true
  }

  const configuration: Configuration = {
    adapter: oauth.adapter,
    routes: ROUTES,
    responseTypes: ['code'],
    scopes: [],
    clientAuthMethods: ['none'],
    clientDefaults: {
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      id_token_signed_response_alg: 'ES256',
    },
    enabledJWA: { idTokenSigningAlgValues: ['ES256'] },
    // The library requires a key, but nothing is signed with it.
    jwks: { keys: [generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' })] },
    extraClientMetadata: {
      properties: ['checked'],
      validator: (_ctx, _name, _value, given) => checkProgram(given),
    },
    allowOmittingSingleRegisteredRedirectUri: false,
    clientBasedCORS: () => true,
    clockTolerance: 0,
    conformIdTokenClaims: false,
    pkce: { required: () => true },
    expiresWithSession: async () => false,
    issueRefreshToken: async (_ctx, client) => client.grantTypeAllowed('refresh_token'),
    rotateRefreshToken: rotateFor,
    revokeGrantPolicy: () => true,
    ttl: {
      AuthorizationCode: CODE_SECONDS,
      AccessToken: ACCESS_TOKEN_SECONDS,
      RefreshToken: UNUSED_SECONDS,
      // Applies until the first token, which extends the connection.
      Grant: QUESTION_SECONDS,
      Interaction: QUESTION_SECONDS,
      Session: QUESTION_SECONDS,
    },
    cookies: {
      names: { session: 'voxscribe_connect', interaction: 'voxscribe_question', resume: 'voxscribe_answer' },
      long: { path: ROUTES.authorization, httpOnly: true, sameSite: 'lax' },
    },
    features: {
      devInteractions: { enabled: false },
      userinfo: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      resourceIndicators: {
        enabled: true,
        defaultResource: (_ctx, _client, oneOf) => oneOf?.[0] ?? resources[0],
        getResourceServerInfo: resourceServer,
        useGrantedResource: async () => true,
      },
      registration: { enabled: true, issueRegistrationAccessToken: false },
      revocation: {
        enabled: true,
        allowedPolicy: (_ctx, client, token) => token.clientId === client.clientId,
      },
      clientIdMetadataDocument: {
        enabled: true,
        ack: 'draft-02',
        allowFetch: mayFetch,
        cacheDuration: { min: 30, max: 300 },
      },
    },
    fetch: fetchDocument(isPrivateAllowed),
    async findAccount({ oidc }, accountId) {
      const user = await users.byId(ownerOf(accountId)._id)
      const isSame = user && !user.blocked && accountIdOf(user) === accountId
      if (isSame) return { accountId, claims: () => ({ sub: accountId }) }
      // The person's sessions ended after the answer. Without an account, the library fails with 500.
      if (oidc.route === 'resume') throw new errors.AccessDenied('the sign-in has ended')
      return undefined
    },
    interactions: {
      async url(ctx, { uid, params }) {
        const { clientId = '', clientName } = ctx.oidc.client ?? {}
        const address = clientId.startsWith('https://') ? clientId : String(params.redirect_uri)
        const { host } = new URL(address)
        await oauth.name('Interaction', uid, { name: oneLine(clientName ?? '') || host, host })
        const path = `/api/oauth/interactions/${uid}`
        const maxAge = QUESTION_SECONDS * 1000
        ctx.cookies.set(cookieNameOf(uid), uid, { path, maxAge, httpOnly: true, sameSite: 'lax' })
        return `/connect/${uid}`
      },
    },
    renderError(ctx, { error, error_description }) {
      if (ctx.status < 500) ctx.status = 400
      ctx.type = 'html'
      ctx.body = errorPage(ctx.req as Request, publicUrl, error_description ?? error)
    },
  }
  const provider = new Provider(publicUrl, configuration)
  // Every program may use any loopback port; the library allows this only for programs registered as native.
  provider.Client.prototype.redirectUriAllowed = function (address) {
    return mayRedirect(this.redirectUris ?? [], address)
  }
  provider.proxy = true
  provider.use(async (ctx, next) => {
    // The pages' security policy forbids posting a form to the program. The library refuses modes that it doesn't know.
    if (ctx.query.response_mode === 'form_post') ctx.query = { ...ctx.query, response_mode: 'none' }
    await next()
    if (ctx.path !== DOCUMENT_PATH || ctx.status !== 200) return
    const metadata = ctx.body as Record<string, unknown>
    const ours = Object.fromEntries(METADATA_FIELDS.map(name => [name, metadata[name]]))
    ctx.body = { ...ours, scopes_supported: KeyScope.options, response_modes_supported: ['query'] }
  })
  provider.on('server_error', (_ctx, error) => log.error({ err: error }, 'a call of OAuth failed'))
  return provider
}

/** Returns the known scopes among those requested; default: `read`. Throws if none is known. */
function scopesIn(given: unknown): KeyScope[] {
  const named = typeof given === 'string' ? given.split(' ') : ['read']
  const known = KeyScope.options.filter(scope => named.includes(scope))
  if (!known.length)
    throw new errors.InvalidScope(`scope must be ${KeyScope.options.join(' or ')}`, String(given))
  return known
}

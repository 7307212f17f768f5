import { type api, type CheckedBodyOf, ForgotPasswordBody } from '@voxscribe/contracts/http'
import { oneLine } from '@voxscribe/contracts/wording'
import { type Logger, type Problem, refusal } from '@voxscribe/service'
import type * as Library from 'openid-client'
import type { AuthSettings } from '../settings.ts'

const TIMEOUT_SECONDS = 10
const CLOCKS_DIFFER_SECONDS = 300
const SUBJECT_MAX = 255
const NAME_MAX = 100

interface OnItsWay {
  state: string
  nonce: string
  verifier: string
}

/** A person as the provider knows them. */
export interface Provided {
  identity: string
  /** Null unless the provider has verified it. */
  email: string | null
  firstName: string
  lastName: string
}

const identityOf = (issuer: string, subject: string): string => `${issuer} ${subject}`
export function presentIdentity(identity: string) {
  const [issuer = '', ...subject] = identity.split(' ')
  return { issuer, subject: subject.join(' ') }
}

/** Opens the sign-in at the operator's OpenID provider; undefined if none is set. */
export function openProvider(settings: AuthSettings, log: Logger) {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: secret } = settings
  const { OIDC_NAME: name, PUBLIC_URL: publicUrl } = settings
  if (!issuer || !clientId || !secret || !name) return undefined
  const redirectUri = `${publicUrl}/signed-in`

  /** Fetches the provider's addresses and keys at each sign-in: they may change, and the provider may be down. */
  async function open() {
    const library = await import('openid-client')
    const { enableNonRepudiationChecks, allowInsecureRequests } = library
    // Without this check, the library accepts an id token with any signature, because it arrives over TLS.
    const execute = [enableNonRepudiationChecks]
    if (issuer?.startsWith('http:')) execute.push(allowInsecureRequests)
    const config = await library.discovery(new URL(issuer ?? ''), clientId ?? '', secret, undefined, {
      timeout: TIMEOUT_SECONDS,
      execute,
    })
    return { library, config }
  }

  /** Logs the library's errors and throws our refusal instead. */
  async function refusing<T>(ask: () => Promise<T>, why: (error: unknown) => Problem): Promise<T> {
    try {
      return await ask()
    } catch (error) {
      const { error: reason } = Object(error)
      log.warn({ err: error, reason }, 'a sign-in by the provider failed')
      throw why(error)
    }
  }

  return {
    name,
    /** Returns the provider's address for the browser. Throws 502 while the provider is unavailable. */
    addressFor: ({ state, nonce, verifier }: OnItsWay): Promise<string> =>
      refusing(
        async () => {
          const { library, config } = await open()
          const question = {
            redirect_uri: redirectUri,
            scope: 'openid email profile',
            state,
            nonce,
            code_challenge: await library.calculatePKCECodeChallenge(verifier),
            code_challenge_method: 'S256',
          }
          return library.buildAuthorizationUrl(config, question).href
        },
        () => refusal('oidc_unavailable'),
      ),

    /** Exchanges the provider's response. Throws 400 if it can't be trusted, 502 while the provider is unavailable. */
    exchange: (
      came: CheckedBodyOf<typeof api.oidcSignIn>,
      { state, nonce, verifier }: OnItsWay,
    ): Promise<Provided> =>
      refusing(async () => {
        const { library, config } = await open()
        const tokens = await library.authorizationCodeGrant(
          config,
          new URL(`${redirectUri}?${new URLSearchParams(came as Record<string, string>)}`),
          { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true },
        )
        const claims = tokens.claims()
        // The library checks when a token expires, but not when it was issued.
        const isOfNow = claims && Math.abs(Date.now() / 1000 - claims.iat) < CLOCKS_DIFFER_SECONDS
        if (!isOfNow || claims.sub.length > SUBJECT_MAX) throw refusal('oidc_token')
        const isElsewhere = claims.email === undefined && config.serverMetadata().userinfo_endpoint
        const said = isElsewhere
          ? await library.fetchUserInfo(config, tokens.access_token, claims.sub)
          : claims
        return { identity: identityOf(claims.iss, claims.sub), ...personIn(said) }
      }, refusalFor),
  }
}

function personIn(claims: Partial<Record<string, unknown>>) {
  const email = ForgotPasswordBody.safeParse({ email: claims.email })
  const text = (value: unknown) => (typeof value === 'string' ? oneLine(value).slice(0, NAME_MAX) : '')
  const [first = '', ...last] = text(claims.name).split(' ')
  return {
    email: claims.email_verified === true && email.success ? email.data.email : null,
    firstName: text(claims.given_name) || first,
    lastName: text(claims.family_name) || last.join(' '),
  }
}

/** The library's error codes for responses that a working provider never sends. */
const AWAY = [
  'OAUTH_TIMEOUT',
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
  'OAUTH_RESPONSE_IS_NOT_JSON',
  'OAUTH_PARSE_ERROR',
]

/** Errors of a provider that is away or not set up; the first two also come back with the browser. */
const SAYS_AWAY = ['server_error', 'temporarily_unavailable', 'invalid_client']

function refusalFor(error: unknown): Problem {
  const { name, code, error: said = '', status = 0 } = Object(error) as Partial<Library.ResponseBodyError>
  if (name === 'Problem') return error as Problem
  const isAway = error instanceof TypeError || AWAY.includes(code ?? '') || status >= 500
  if (isAway || SAYS_AWAY.includes(said)) return refusal('oidc_unavailable')
  return refusal(name === 'AuthorizationResponseError' ? 'oidc_refused' : 'oidc_token')
}

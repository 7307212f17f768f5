import { request } from 'node:https'
import { Readable } from 'node:stream'
import { publicAgents } from '@voxscribe/service'
import { type ClientMetadata, errors } from 'oidc-provider'

const REDIRECTS_MAX = 10
const REDIRECT_LENGTH_MAX = 2_000
const NAME_MAX = 100
/** Unused: programs are public clients, nothing is signed or encrypted, and scopes are requested each time. */
const UNUSED = [
  'client_secret',
  'client_secret_expires_at',
  'jwks',
  'jwks_uri',
  'scope',
  'contacts',
  // The library would fetch this address.
  'sector_identifier_uri',
]
const LOOPBACK = ['127.0.0.1', '[::1]', 'localhost']

/** Validates a program's metadata, from its registration or its document, and drops unused fields. */
export function checkProgram(program: ClientMetadata): void {
  const { redirect_uris: addresses = [], client_name: name = '' } = program
  if (!Array.isArray(addresses) || !addresses.length || addresses.length > REDIRECTS_MAX)
    throw new errors.InvalidClientMetadata(`redirect_uris must be 1 to ${REDIRECTS_MAX} addresses`)
  if (!addresses.every(isRedirect))
    throw new errors.InvalidClientMetadata(
      `redirect_uris must begin with https://, or with http:// and a loopback address, and have no fragment`,
    )
  if (typeof name !== 'string' || name.length > NAME_MAX)
    throw new errors.InvalidClientMetadata(`client_name must have at most ${NAME_MAX} characters`)
  for (const unused of UNUSED) delete program[unused]
}

function isRedirect(given: unknown): boolean {
  if (typeof given !== 'string' || given.length > REDIRECT_LENGTH_MAX || given.includes('#')) return false
  const { protocol, hostname, username, password } = URL.parse(given) ?? {}
  if (username || password) return false
  return protocol === 'https:' || (protocol === 'http:' && LOOPBACK.includes(hostname ?? ''))
}

/** Whether a code may go to this address: it must equal a registered one, except for the port on loopback. */
export function mayRedirect(registered: readonly string[], given: string): boolean {
  const known = URL.canParse(given) && withoutLoopbackPort(given)
  return registered.some(address => address === given || (known && withoutLoopbackPort(address) === known))
}

/** RFC 8252, section 7.3: a program on the person's machine may use any free port. */
function withoutLoopbackPort(address: string): string | undefined {
  const [, start, rest] =
    /^(http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost))(?::\d{1,5})?([/?].*)?$/.exec(address) ?? []
  return start && `${start}${rest ?? ''}`
}

/** Returns a `fetch` for programs' documents: public addresses only unless `isPrivateAllowed`, without redirects. */
export const fetchDocument =
  (isPrivateAllowed: boolean): typeof fetch =>
  (url, { signal } = {}) =>
    new Promise((resolve, reject) => {
      const headers = { accept: 'application/json', 'user-agent': 'voxscribe' }
      const agent = isPrivateAllowed ? undefined : publicAgents.httpsAgent
      const outgoing = request(String(url), { agent, headers, signal: signal ?? undefined }, answer => {
        const { statusCode: status, headers } = answer
        if (status !== 200) {
          // Made of some others, a `Response` throws, which nothing would catch here.
          answer.destroy()
          return reject(new Error(`The document was answered with ${status}`))
        }
        const kept = ['cache-control', 'content-length', 'expires'].flatMap(name =>
          headers[name] ? [[name, String(headers[name])] as [string, string]] : [],
        )
        resolve(new Response(Readable.toWeb(answer) as ReadableStream, { headers: kept }))
      })
      outgoing.on('error', reject).end()
    })

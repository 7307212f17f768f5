import { api, KeyScope } from '@voxscribe/contracts/http'
import { implement, networkOf, openOnce, type Route, refusal } from '@voxscribe/service'
import type { Express, RequestHandler } from 'express'
import { z } from 'zod'
import { callerOf } from '../sessions/caller.ts'
import type { OAuthDeps } from './provider.ts'
import { accountIdOf, cookieNameOf, UNUSED_SECONDS } from './store.ts'

const Question = z.object({
  client_id: z.string(),
  redirect_uri: z.string().transform(address => new URL(address).host),
  scope: z.string().transform(text => z.array(KeyScope).parse(text.split(' '))),
  resource: z.string(),
})

const REGISTRATION = '/oauth/register'
const AUTHORIZATION = '/oauth/authorize'

/** Serves OAuth to programs, and their consent requests to our pages. */
export function openOAuth(deps: OAuthDeps) {
  const { oauth, limits, publicUrl } = deps
  // Loads the library on the first call.
  const provider = openOnce(async () => (await import('./provider.ts')).createProvider(deps))
  const { host, protocol } = new URL(publicUrl)

  const serve: RequestHandler = async (request, response) => {
    if (request.method === 'POST' && request.path === REGISTRATION)
      await limits.program.count(networkOf(request.ip ?? ''))
    if (request.path === AUTHORIZATION) await limits.question.count(networkOf(request.ip ?? ''))
    // Addresses and cookies are always the gateway's. In a single process, the gateway's path prefix is still set.
    request.baseUrl = ''
    Object.assign(request.headers, {
      host,
      'x-forwarded-host': host,
      'x-forwarded-proto': protocol.slice(0, -1),
    })
    await (await provider()).callback()(request, response)
  }

  /** Returns a program's consent request in this browser. Throws 404 once it's answered or expired. */
  async function questionOf(uid: string, cookies = '') {
    const library = await provider()
    const interaction = await library.Interaction.find(uid)
    const client = await oauth.programOf(uid)
    const isOurs = cookies.split(/; */).includes(`${cookieNameOf(uid)}=${uid}`)
    if (!interaction || !client || interaction.result || !isOurs) throw refusal('connect_request_over')
    const {
      client_id: clientId,
      redirect_uri: redirectHost,
      scope,
      resource,
    } = Question.parse(interaction.params)
    return { library, interaction, clientId, client, redirectHost, scopes: scope, resource }
  }

  const routes: Route[] = [
    implement(api.connectRequest, async ({ params: { id }, cookies, ...call }) => {
      await callerOf(deps, call)
      const { client, redirectHost, scopes, resource } = await questionOf(id, cookies)
      const expires = new Date(Date.now() + UNUSED_SECONDS * 1000).toISOString()
      const asking = { ...client, redirectHost, verified: false as const }
      return { data: { client: asking, scopes, resource, expires } }
    }),
    implement(api.answerConnectRequest, async ({ params: { id }, body: { allow }, cookies, ...call }) => {
      const user = await callerOf(deps, call)
      const { library, interaction, clientId, client, scopes, resource } = await questionOf(id, cookies)
      if (!(await oauth.answer(id))) throw refusal('connect_request_over')
      const accountId = accountIdOf(user)
      if (allow) {
        const grant = new library.Grant({ accountId, clientId })
        grant.addResourceScope(resource, scopes.join(' '))
        const grantId = await grant.save()
        await oauth.name('Grant', grantId, client)
        interaction.result = { login: { accountId, remember: false }, consent: { grantId } }
      } else interaction.result = { error: 'access_denied', error_description: 'the person said no' }
      await interaction.persist()
      return { data: { redirectTo: interaction.returnTo } }
    }),
    implement(api.grants, async call => ({ data: { grants: await oauth.of(await callerOf(deps, call)) } })),
    implement(api.endGrant, async call => {
      const { _id } = await callerOf(deps, call)
      if (!(await oauth.endOf(_id, call.params.id))) throw refusal('connection_unknown')
      return { data: null, message: 'The program is disconnected' }
    }),
  ]
  const mount = (app: Express) => {
    // Exact paths: the library also accepts capitals and a trailing slash, which the rate limits above would miss.
    app.all(/^\/oauth\/(register|authorize(\/[\w-]+)?|token|revoke)$/, serve)
    app.get(/^\/\.well-known\/oauth-authorization-server$/, serve)
  }
  return { routes, mount }
}

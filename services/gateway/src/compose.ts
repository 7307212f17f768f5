import { api, type EndpointShape, type Profile, type UsageLine } from '@voxscribe/contracts/http'
import { type Logger, refusal } from '@voxscribe/service'
import type { Express } from 'express'
import { onBehalfOf, type Peers, traceOf } from './peers.ts'
import { type Complete, proxyTo, toPassOn } from './proxy.ts'
import type { SubscriptionOf } from './subscription-of.ts'

interface WithUser {
  /** Absent while a provider sign-in is incomplete. */
  user?: Profile
  accessToken?: string
}

/** Calls whose response contains a user: the profile comes from auth, the plan from billing. */
const withUser: EndpointShape[] = [
  api.register,
  api.login,
  api.passkeySignIn,
  api.oidcSignIn,
  api.oidcLink,
  api.profile,
  api.replaceProfile,
  api.updateProfile,
]

/** Mounts the calls whose response the gateway completes with another service's data. */
export function mountComposed(app: Express, peers: Peers, subscriptionOf: SubscriptionOf, log: Logger): void {
  function mount(endpoints: EndpointShape[], service: 'auth' | 'billing', complete: Complete): void {
    const proxy = proxyTo(peers.urlOf(service), log, { complete })
    for (const { method, path } of endpoints)
      app[method.toLowerCase() as 'get'](`/api${path}`, (request, response, next) =>
        proxy(toPassOn(request), response, next),
      )
  }
  mount(withUser, 'auth', async (data, request, response) => {
    const { user, accessToken } = (data ?? {}) as WithUser
    if (!user) return data
    const authorization = accessToken ? `Bearer ${accessToken}` : request.headers.authorization
    const { subscription, source } = await subscriptionOf(user.id, { ...traceOf(request), authorization })
    response.set('x-subscription-source', source)
    return { ...data, user: { ...user, subscription } }
  })
  mount([api.subscriptionDetails], 'billing', async (data, request) => {
    const stats = await peers.ask(api.transcriptionStats, {}, onBehalfOf(request))
    if (!stats) throw refusal('unavailable')
    const usageStats = {
      totalTranscriptions: stats.total,
      completedTranscriptions: stats.completed,
      failedTranscriptions: stats.failed,
      totalFileSize: stats.totalFileSize,
    }
    return { ...data, usageStats }
  })
  mount([api.usage], 'billing', async (data, request) => {
    const { usage } = data as { usage: UsageLine[] }
    const ids = usage.map(({ transcriptionId }) => transcriptionId).join()
    const titles = await peers.ask(api.titles, { query: { ids } }, traceOf(request))
    if (!titles) throw refusal('unavailable')
    return { ...data, usage: usage.map(line => ({ ...line, title: titles[line.transcriptionId] ?? null })) }
  })
}

import {
  api,
  type EndpointShape,
  type Profile,
  type TranscriptionStats,
  type UsageLine,
  type UsageStats,
} from '@voxscribe/contracts/http'
import { partAway } from '@voxscribe/service'
import express, { type Express, type RequestHandler, type Response } from 'express'
import { type PeerAnswer, type Peers, traceOf } from './peers.ts'
import type { SubscriptionOf } from './subscription-of.ts'

interface WithUser {
  user: Profile
  accessToken?: string
}

/** Calls whose answer holds a user: auth knows the person, billing the plan. */
const withUser: EndpointShape[] = [
  api.register,
  api.login,
  api.profile,
  api.replaceProfile,
  api.updateProfile,
]

/** The answers that the gateway completes with what a second service knows. */
export function mountComposed(app: Express, peers: Peers, subscriptionOf: SubscriptionOf): void {
  for (const endpoint of withUser) {
    on(app, endpoint, async (request, response) => {
      const answer = await peers.forward<WithUser>('auth', request)
      if (answer.body.success) {
        const { user, accessToken } = answer.body.data
        const authorization = accessToken ? `Bearer ${accessToken}` : request.headers.authorization
        const headers = { ...traceOf(request), authorization }
        const { subscription, source } = await subscriptionOf(user.id, headers)
        answer.body.data.user = Object.assign(user, { subscription })
        response.set('x-subscription-source', source)
      }
      pass(response, answer)
    })
  }
  on(app, api.subscriptionDetails, async (request, response) => {
    const headers = { ...traceOf(request), authorization: request.headers.authorization }
    const [answer, stats] = await Promise.all([
      peers.forward<{ usageStats?: UsageStats }>('billing', request),
      peers.ask<TranscriptionStats>('transcription', `/api${api.transcriptionStats.path}`, headers),
    ])
    if (answer.body.success) {
      if (!stats) throw partAway()
      answer.body.data.usageStats = usageOf(stats)
    }
    pass(response, answer)
  })
  on(app, api.usage, async (request, response) => {
    const answer = await peers.forward<{ usage: (UsageLine & { title?: string | null })[] }>(
      'billing',
      request,
    )
    if (answer.body.success) {
      const ids = answer.body.data.usage.map(({ transcriptionId }) => transcriptionId).join()
      const path = `/internal/titles?ids=${ids}`
      const titles = await peers.ask<Record<string, string>>('transcription', path, traceOf(request))
      if (!titles) throw partAway()
      for (const line of answer.body.data.usage) line.title = titles[line.transcriptionId] ?? null
    }
    pass(response, answer)
  })
}

function on(app: Express, endpoint: EndpointShape, handler: RequestHandler): void {
  const body = endpoint.body ? [express.raw({ type: () => true, limit: '100kb' })] : []
  app[endpoint.method.toLowerCase() as 'get'](`/api${endpoint.path}`, ...body, handler)
}

const usageOf = (stats: TranscriptionStats): UsageStats => ({
  totalTranscriptions: stats.total,
  completedTranscriptions: stats.completed,
  failedTranscriptions: stats.failed,
  totalFileSize: stats.totalFileSize,
})

function pass(response: Response, answer: PeerAnswer<unknown>): void {
  const retryAfter = answer.headers['retry-after']
  if (retryAfter) response.set('retry-after', retryAfter)
  const cookie = answer.headers['set-cookie']
  if (cookie) response.set('set-cookie', cookie)
  response.status(answer.status).json(answer.body)
}

import {
  api,
  type DataOf,
  type EndpointShape,
  type Profile,
  type TranscriptionStats,
  type UsageStats,
} from '@voxscribe/contracts/http'
import { type Neighbours, partAway } from '@voxscribe/service'
import express, { type Express, type Request, type RequestHandler, type Response } from 'express'
import { type PeerAnswer, type Peers, traceOf } from './peers.ts'
import { withOurAddress } from './proxy.ts'
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
export function mountComposed(
  app: Express,
  peers: Peers,
  neighbours: Neighbours,
  subscriptionOf: SubscriptionOf,
): void {
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
  on(app, api.upload, async (request, response) => {
    const { ingestion } = neighbours
    if (ingestion) {
      const { json } = response
      response.json = (body: UploadAnswer) => {
        void completeUpload(peers, request, response.statusCode, body).then(() => json.call(response, body))
        return response
      }
      ingestion(withOurAddress(request), response)
      return
    }
    const answer = await peers.forward<DataOf<typeof api.upload>>('ingestion', request)
    await completeUpload(peers, request, answer.status, answer.body)
    pass(response, answer)
  })
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
}

function on(app: Express, endpoint: EndpointShape, handler: RequestHandler): void {
  const body = endpoint.body ? [express.raw({ type: () => true, limit: '100kb' })] : []
  app[endpoint.method.toLowerCase() as 'get'](`/api${endpoint.path}`, ...body, handler)
}

type UploadAnswer = PeerAnswer<DataOf<typeof api.upload>>['body']

/** A repeat with the same idempotency key: more is known about the note by now. */
async function completeUpload(
  peers: Peers,
  request: Request,
  status: number,
  answer: UploadAnswer,
): Promise<void> {
  if (!answer.success || status !== 200) return
  const headers = { ...traceOf(request), authorization: request.headers.authorization }
  const path = api.transcription.path.replace(':id', answer.data.transcription.id)
  const known = await peers.ask<DataOf<typeof api.transcription>>('transcription', `/api${path}`, headers)
  if (known) answer.data.transcription = known.transcription
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

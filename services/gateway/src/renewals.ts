import { api } from '@voxscribe/contracts/http'
import { renewalIn, whenAnswered } from '@voxscribe/service'
import type { RequestHandler } from 'express'
import { type Peers, traceOf } from './peers.ts'

const REMEMBERED = 10_000

/** Reports each renewal to auth once, when a service accepts its access token: the client has received it. */
export function noteRenewals(peers: Peers): RequestHandler {
  const reported = new Set<string>()
  return (request, response, next) => {
    const used = renewalIn(request.headers.authorization)
    if (used && !reported.has(used.renewal))
      whenAnswered(response, async () => {
        if (response.statusCode === 401 || reported.has(used.renewal)) return
        if (reported.size >= REMEMBERED) reported.clear()
        reported.add(used.renewal)
        const answer = await peers.call(api.noteRenewalUse, { body: used }, traceOf(request))
        if (!answer?.body.success) reported.delete(used.renewal)
      })
    next()
  }
}

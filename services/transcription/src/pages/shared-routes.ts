import { api } from '@voxscribe/contracts/http'
import { implement, networkOf, type RateLimit, type Route } from '@voxscribe/service'
import { sendAudio } from './send-audio.ts'
import type { Sharing } from './sharing.ts'

/** Makes links to notes, and serves them to people without an account. */
export const sharedRoutes = (sharing: Sharing, perAddress: RateLimit): Route[] => [
  implement(api.shareTranscription, async ({ userId, claims, params, body: { days, audio } }) => {
    const { url, expiresAt } = await sharing.begin(params.id, userId, days, audio, claims.generation)
    return { data: { url, expiresAt }, message: 'The link is ready' }
  }),
  implement(api.endShare, async ({ userId, params }) => {
    await sharing.end(params.id, userId)
    return { data: null, message: 'The link has ended' }
  }),
  implement(api.sharedNote, async ({ params, ip }) => {
    await perAddress.count(networkOf(ip))
    return { data: await sharing.read(params.token), headers: { 'cache-control': 'no-store' } }
  }),
  implement(api.sharedAudio, async ({ params, ip }) => {
    await perAddress.count(networkOf(ip))
    const { audio, open } = await sharing.audio(params.token)
    return { data: null, send: response => sendAudio(response, audio, open) }
  }),
]

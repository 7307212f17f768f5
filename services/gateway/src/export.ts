import { type ApiKey, api, type Hook, type Profile, type SignedInDevice } from '@voxscribe/contracts/http'
import { Problem, refusal, refuseOtherMethods, sendStream } from '@voxscribe/service'
import type { Express } from 'express'
import { onBehalfOf, type Peer, type Peers, type Told } from './peers.ts'
import type { SubscriptionOf } from './subscription-of.ts'

const PATH = `/api${api.exportAccount.path}`
/** A ledger of 50,000 notes takes a second or two. */
const PATIENCE_MS = 30_000
const PASSED_ON = ['content-type', 'content-disposition', 'cache-control', 'x-expected-bytes']

/**
 * `GET /api/users/export`: everything of a person as a zip. Transcription makes it of its notes and of what the other
 * services know, which is read first: the access token is needed for a moment only, however long the zip takes.
 */
export function mountExport(app: Express, peers: Peers, subscriptionOf: SubscriptionOf): void {
  app.get(PATH, async (request, response) => {
    const headers = onBehalfOf(request)
    const left = new AbortController()
    response.once('close', () => left.abort())
    const ask = async <Data>(service: Peer, path: string) =>
      dataOf(await peers.tell<Data>(service, path, undefined, headers, PATIENCE_MS))

    const { user } = await ask<{ user: Profile }>('auth', `/api${api.profile.path}`)
    const known = await ask<object>('billing', `/internal/export?userId=${user.id}`)
    const { sessions } = await ask<{ sessions: SignedInDevice[] }>('auth', `/api${api.sessions.path}`)
    const { keys } = await ask<{ keys: ApiKey[] }>('auth', `/api${api.keys.path}`)
    const { hooks } = await ask<{ hooks: Hook[] }>('notification', `/api${api.hooks.path}`)
    const { subscription } = await subscriptionOf(user.id, headers)
    const files = { profile: { ...user, subscription }, sessions, keys, hooks, ...known }
    const wanted = { userId: user.id, language: user.ui_language, files }
    const zip = await peers.stream('transcription', '/internal/export', wanted, headers, left.signal)
    if (!zip || !('file' in zip)) return dataOf(zip)
    for (const name of PASSED_ON) response.set(name, zip.file.headers[name])
    await sendStream(response, zip.file)
  })
  refuseOtherMethods(app, PATH, ['GET'])
}

/** Returns the data of a service's answer; throws its refusal. */
function dataOf<Data>(answer: Told<Data> | undefined): Data {
  if (!answer) throw refusal('unavailable')
  const { body, status, retryAfter } = answer
  if (body.success) return body.data
  const retryAfterSeconds = retryAfter ? Number(retryAfter) : undefined
  throw new Problem(status, body.code, body.message, { retryAfterSeconds })
}

import { api, type EndpointShape, type QueryOf } from '@voxscribe/contracts/http'
import { leftSignal, refuseOtherMethods, sendStream } from '@voxscribe/service'
import { dataOf } from '@voxscribe/service/peers'
import type { Express } from 'express'
import { onBehalfOf, type Peers } from './peers.ts'
import type { SubscriptionOf } from './subscription-of.ts'

const PATH = `/api${api.exportAccount.path}`
/** A ledger of 50,000 notes takes a second or two. */
const TIMEOUT_MS = 30_000
const PASSED_ON = ['content-type', 'content-disposition', 'cache-control', 'x-expected-bytes']

/**
 * `GET /api/users/export`: all of a person's data as a zip. Transcription builds it from its notes and from the other
 * services' data, which is read first, so that the access token may expire while the zip is sent.
 */
export function mountExport(app: Express, peers: Peers, subscriptionOf: SubscriptionOf): void {
  app.get(PATH, async (request, response) => {
    const headers = onBehalfOf(request)
    const left = leftSignal(response)
    const ask = async <E extends EndpointShape>(endpoint: E, query?: QueryOf<E>) =>
      dataOf(await peers.call(endpoint, query === undefined ? {} : { query }, headers, TIMEOUT_MS))

    const { user } = await ask(api.profile)
    const known = await ask(api.exportOfBilling, { userId: user.id })
    const { formerEmails, invitations, passkeys, providers } = await ask(api.exportOfAuth, {
      userId: user.id,
    })
    const { senders } = await ask(api.exportOfIngestion, { userId: user.id })
    const { deliveries } = await ask(api.exportOfNotification, { userId: user.id })
    const { sessions } = await ask(api.sessions)
    const { keys } = await ask(api.keys)
    const { grants: connections } = await ask(api.grants)
    const { hooks } = await ask(api.hooks)
    const { subscription } = await subscriptionOf(user.id, headers)
    const profile = {
      ...user,
      subscription,
      formerEmails,
      invitations,
      passkeys,
      providers,
      connections,
      senders,
    }
    const files = { profile, sessions, keys, hooks: { hooks, deliveries }, ...known }
    const body = { userId: user.id, language: user.ui_language, files }
    const zip = dataOf(await peers.file(api.exportOfNotes, { body }, headers, left))
    for (const name of PASSED_ON) response.set(name, zip.headers[name])
    await sendStream(response, zip)
  })
  refuseOtherMethods(app, PATH, ['GET'])
}

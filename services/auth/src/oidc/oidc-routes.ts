import { api } from '@voxscribe/contracts/http'
import { implement, networkOf, type Route, refusal } from '@voxscribe/service'
import type { Request } from 'express'
import type { User } from '../accounts/users.ts'
import type { Deps } from '../deps.ts'
import { welcome } from '../sessions/sign-in.ts'
import { beginAttempt, endAttempt } from './attempts.ts'
import { accountOf, linkByMail, linkByPassword, mailLink } from './oidc.ts'

export function oidcRoutes(deps: Deps): Route[] {
  const { passes, limits, devices } = deps
  function provider() {
    if (!deps.provider) throw refusal('oidc_off')
    return deps.provider
  }
  const signedIn = async (
    user: User,
    request: Request,
    device = devices.known(user, request.headers.cookie),
  ) => ({
    ...(await welcome(deps, user, request, device)),
    message: 'Signed in',
  })
  return [
    implement(api.beginOidc, async ({ ip }) => {
      const { addressFor } = provider()
      await limits.beginOidc.count(networkOf(ip))
      const { cookie, ...attempt } = await beginAttempt(passes, deps.publicUrl)
      return { data: { url: await addressFor(attempt) }, headers: { 'set-cookie': cookie } }
    }),
    implement(api.oidcSignIn, async ({ body, ip, cookies, request }) => {
      const { exchange } = provider()
      await limits.loginFromAddress.count(networkOf(ip))
      const attempt = await endAttempt(passes, body.state, cookies)
      if (!attempt) throw refusal('oidc_state')
      const found = await accountOf(deps, await exchange(body, { ...attempt, state: body.state }))
      return 'user' in found ? signedIn(found.user, request) : { data: found }
    }),
    implement(api.oidcLink, async ({ body: { ticket = '', password, token }, ip, cookies, request }) => {
      provider()
      await limits.loginFromAddress.count(networkOf(ip))
      if (token) return signedIn(await linkByMail(deps, token, cookies), request)
      if (password) {
        const { user, device } = await linkByPassword(deps, ticket, password, cookies)
        return signedIn(user, request, device)
      }
      await limits.forgotFromAddress.count(networkOf(ip))
      await mailLink(deps, ticket)
      return { data: null, message: 'Check your inbox for the link.' }
    }),
  ]
}

import { api } from '@voxscribe/contracts/http'
import { implement, networkOf, type Route, refusal } from '@voxscribe/service'
import type { Deps } from '../deps.ts'
import { callerOf } from '../sessions/caller.ts'
import { welcome } from '../sessions/sign-in.ts'
import { addPasskey, optionsToAdd, optionsToSignIn, signInByPasskey } from './webauthn.ts'

export function passkeySignInRoutes(deps: Deps): Route[] {
  const { limits, devices } = deps
  return [
    implement(api.passkeySignInOptions, async ({ ip }) => {
      await limits.passkeyOptions.count(networkOf(ip))
      return { data: { options: { ...(await optionsToSignIn(deps)) } } }
    }),
    implement(api.passkeySignIn, async ({ body, ip, cookies, request }) => {
      await limits.loginFromAddress.count(networkOf(ip))
      const user = await signInByPasskey(deps, body)
      return { ...(await welcome(deps, user, request, devices.known(user, cookies))), message: 'Signed in' }
    }),
  ]
}

export function passkeyRoutes(deps: Deps): Route[] {
  const { limits, passkeys } = deps
  return [
    implement(api.passkeys, async call => ({
      data: { passkeys: await passkeys.of(await callerOf(deps, call)) },
    })),
    implement(api.passkeyOptions, async call => {
      const user = await callerOf(deps, call)
      await limits.passkeyOptions.count(user._id)
      return { data: { options: { ...(await optionsToAdd(deps, user)) } } }
    }),
    implement(api.addPasskey, async call => {
      const user = await callerOf(deps, call)
      await limits.newWay.count(user._id)
      const data = { passkey: await addPasskey(deps, user, call.body) }
      return { data, message: 'You can sign in by this passkey now.' }
    }),
    implement(api.renamePasskey, async call => {
      const { params, body } = call
      const passkey = await passkeys.rename(await callerOf(deps, call), params.passkeyId, body.name)
      if (!passkey) throw refusal('passkey_unknown')
      return { data: { passkey } }
    }),
    implement(api.removePasskey, async call => {
      const user = await callerOf(deps, call)
      // Without passwords, every account can be opened through the provider and a mail.
      const isOnlyWay = !deps.oidcOnly && !user.passwordHash && !user.identities
      if (!(await passkeys.remove(user, call.params.passkeyId, isOnlyWay))) throw refusal('passkey_unknown')
      return { data: null, message: 'The passkey no longer works' }
    }),
  ]
}

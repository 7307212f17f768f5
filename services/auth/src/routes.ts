import { countries } from '@voxscribe/contracts/countries'
import { api, type CheckedBodyOf } from '@voxscribe/contracts/http'
import { languages } from '@voxscribe/contracts/languages'
import { currentTrace, implement, networkOf, type Route, refusal } from '@voxscribe/service'
import { profileOf } from './accounts/account.ts'
import { eraseAccount } from './accounts/erasure.ts'
import { beginGeneration } from './accounts/generations.ts'
import { changeProfile, confirmEmail } from './accounts/profile-change.ts'
import type { User } from './accounts/users.ts'
import type { Deps } from './deps.ts'
import { oidcRoutes } from './oidc/oidc-routes.ts'
import { presentIdentity } from './oidc/provider.ts'
import { passkeyRoutes, passkeySignInRoutes } from './passkeys/passkey-routes.ts'
import { undoEmailChange } from './recovery/email-undo.ts'
import { undoNumberChange } from './recovery/number-undo.ts'
import { resetPassword } from './recovery/password-reset.ts'
import { type Caller, callerOf } from './sessions/caller.ts'
import { changePassword, proveSelf, refusePasswords, removePassword } from './sessions/password-change.ts'
import { refreshSession, signIn, startSession, welcome } from './sessions/sign-in.ts'
import { signUp } from './sessions/sign-up.ts'

export function authRoutes(deps: Deps): Route[] {
  return [
    ...signInRoutes(deps),
    ...oidcRoutes(deps),
    ...sessionRoutes(deps),
    ...passwordRoutes(deps),
    ...invitationRoutes(deps),
    ...userRoutes(deps),
    ...keyRoutes(deps),
    ...passkeyRoutes(deps),
  ]
}

function signInRoutes(deps: Deps): Route[] {
  const { sessions, limits } = deps
  return [
    implement(api.register, async ({ body, ip, uiLanguage, request }) => {
      await limits.register.count(networkOf(ip))
      const user = await signUp(deps, body, body.ui_language ?? uiLanguage)
      return { ...(await welcome(deps, user, request)), message: 'Account created successfully!' }
    }),
    implement(api.login, async ({ body, ip, cookies, request }) => {
      refusePasswords(deps)
      await limits.loginFromAddress.count(networkOf(ip))
      const { user, device } = await signIn(deps, { ...body, cookies })
      return { ...(await welcome(deps, user, request, device)), message: 'Signed in' }
    }),
    ...passkeySignInRoutes(deps),
    implement(api.logout, async ({ body }) => {
      await sessions.endOf(body.refreshToken)
      return { data: null, message: 'Signed out' }
    }),
    implement(api.refresh, async ({ body, ip }) => {
      await limits.refresh.count(networkOf(ip))
      return { data: await refreshSession(deps, body.refreshToken), message: 'Session renewed' }
    }),
    implement(api.exportOfAuth, async ({ query: { userId } }) => {
      const user = await deps.users.byId(userId)
      const { formerEmails = [] } = user ?? {}
      return {
        data: {
          formerEmails: formerEmails.map(({ email, until }) => ({ email, until: until.toISOString() })),
          invitations: await deps.invitations.of(userId),
          passkeys: user ? await deps.passkeys.of(user) : [],
          providers: (user?.identities ?? []).map(presentIdentity),
        },
      }
    }),
    implement(api.noteRenewalUse, async ({ body: { sessionId, renewal } }) => {
      await sessions.noteUse(sessionId, renewal)
      return { data: null }
    }),
  ]
}

function sessionRoutes(deps: Deps): Route[] {
  const { sessions } = deps
  return [
    implement(api.sessions, async call => ({
      data: { sessions: await sessions.of(await callerOf(deps, call), call.claims.sessionId) },
    })),
    implement(api.endSession, async call => {
      const { _id } = await callerOf(deps, call)
      if (!(await sessions.end(_id, call.params.id))) throw refusal('device_unknown')
      return { data: null, message: 'Signed out on that device' }
    }),
    implement(api.endOtherSessions, async call => {
      const user = await beginGeneration(deps, 'sign-out', () => callerOf(deps, call))
      const data = await startSession(deps, user, call.request.get('user-agent'))
      return { data, message: 'Signed out on all other devices' }
    }),
  ]
}

function passwordRoutes(deps: Deps): Route[] {
  const { users, requests, limits, devices } = deps
  return [
    implement(api.forgotPassword, async ({ body: { email }, ip, cookies }) => {
      refusePasswords(deps)
      await limits.forgotFromAddress.count(networkOf(ip))
      const user = await users.byEmail(email)
      const device = user && devices.known(user, cookies)
      // Counts even if there is no such account. The owner's known browser is counted apart from strangers.
      await limits.forgotOfAccount.count(device ? `device:${device}` : email)
      await requests.add({ email, at: new Date(), traceId: currentTrace() })
      const message = `If an account exists for ${email}, you will receive an email with instructions on how to reset your password.`
      return { data: null, message }
    }),
    implement(api.resetPassword, async ({ body, cookies }) => {
      refusePasswords(deps)
      const user = await resetPassword(deps, body.token, body.newPassword, cookies)
      await limits.loginOfAccount.forget(user.email)
      return { data: null, message: 'Your password has been reset. You can sign in with it now.' }
    }),
    implement(api.changePassword, async ({ body, request, ...call }) => {
      refusePasswords(deps)
      const user = await changePassword(deps, () => callerOf(deps, call), body)
      const data = await startSession(deps, user, request.get('user-agent'))
      const headers = { 'set-cookie': devices.cookieFor(user) }
      return { data, message: 'Your password has been changed.', headers }
    }),
    implement(api.removePassword, async ({ body, ...call }) => {
      refusePasswords(deps)
      await removePassword(deps, () => callerOf(deps, call), body.password)
      return { data: null, message: 'Your password is removed.' }
    }),
    implement(api.confirmEmail, async ({ body, cookies }) => {
      await confirmEmail(deps, body.token, cookies)
      return { data: null, message: 'Your email address is confirmed.' }
    }),
    implement(api.undoEmail, async ({ body }) => {
      await undoEmailChange(deps, body.token)
      const next = deps.oidcOnly
        ? 'Everyone is signed out.'
        : 'We’ve sent you a link to choose a new password.'
      return { data: null, message: `Your email address is back. ${next}` }
    }),
    implement(api.undoNumber, async ({ body }) => {
      await undoNumberChange(deps, body.token)
      return { data: null, message: 'Your number is back. Everyone is signed out.' }
    }),
  ]
}

function invitationRoutes(deps: Deps): Route[] {
  const { invitations, limits } = deps
  const inviter = (caller: Caller) => {
    if (deps.signUp !== 'invited') throw refusal('invitations_off')
    return callerOf(deps, caller)
  }
  return [
    implement(api.invitations, async call => ({
      data: { invitations: await invitations.of((await inviter(call))._id) },
    })),
    implement(api.invite, async ({ body: { email }, ...call }) => {
      const user = await inviter(call)
      await limits.invite.count(user._id)
      await limits.inviteTo.count(email)
      return { data: { invitation: await invitations.invite(user, email) }, message: 'Invitation sent' }
    }),
    implement(api.deleteInvitation, async call => {
      const { _id } = await inviter(call)
      if (!(await invitations.end(_id, call.params.id))) throw refusal('invitation_unknown')
      return { data: null, message: 'The invitation no longer works' }
    }),
  ]
}

function keyRoutes(deps: Deps): Route[] {
  const { keys, limits } = deps
  return [
    implement(api.keys, async call => ({ data: { keys: await keys.of(await callerOf(deps, call)) } })),
    implement(api.createKey, async call => {
      const user = await callerOf(deps, call)
      await limits.newWay.count(user._id)
      return { data: await keys.create(user, call.body), message: 'This key is shown only now. Copy it.' }
    }),
    implement(api.deleteKey, async call => {
      if (!(await keys.end(await callerOf(deps, call), call.params.id))) throw refusal('key_unknown')
      return { data: null, message: 'The key no longer works' }
    }),
  ]
}

function userRoutes(deps: Deps): Route[] {
  const presentProfile = (user: User) => profileOf(user, deps.retentionDays)
  const change = async ({ body, ...call }: Caller & { body: CheckedBodyOf<typeof api.updateProfile> }) => {
    const { _id } = await callerOf(deps, call)
    await deps.limits.updateProfile.count(_id)
    const user = await changeProfile(deps, () => callerOf(deps, call), body)
    return { data: { user: presentProfile(user) }, message: 'Profile updated successfully!' }
  }
  return [
    implement(api.profile, async call => {
      const { link_code, ...user } = presentProfile(await callerOf(deps, call))
      // The link code moves the account to another phone, so API keys don't get it.
      return { data: { user: call.claims.keyId ? user : { ...user, link_code } } }
    }),
    implement(api.replaceProfile, change),
    implement(api.updateProfile, change),
    implement(api.eraseAccount, async call => {
      const user = await callerOf(deps, call)
      await proveSelf(deps, user, call, call.body.password)
      await eraseAccount(deps, user)
      return { data: null, message: 'Your account is deleted.' }
    }),
    implement(api.countries, async () => ({ data: countries })),
    implement(api.languages, async () => ({ data: languages })),
  ]
}

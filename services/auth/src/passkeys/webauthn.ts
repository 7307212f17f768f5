import type { api, CheckedBodyOf, Passkey } from '@voxscribe/contracts/http'
import { hasPasskeys, refusal } from '@voxscribe/service'
import { accountBlocked } from '../accounts/account-blocked.ts'
import type { User } from '../accounts/users.ts'
import type { Deps } from '../deps.ts'
import { notAdded } from './passkeys.ts'

/** Loaded on first use: it parses certificates, which takes a third of the startup time. */
const library = () => import('@simplewebauthn/server')

/** EdDSA, ES256, RS256. The library's default list begins with an algorithm that is experimental in Node. */
const ALGORITHMS = [-8, -7, -257]

/** Returns the site that passkeys belong to. Throws 409 if browsers allow no passkeys there. */
function siteOf({ publicUrl }: Deps) {
  if (!hasPasskeys(publicUrl)) throw refusal('passkeys_off')
  return { expectedRPID: new URL(publicUrl).hostname, expectedOrigin: publicUrl }
}

/** Returns the options for creating a passkey for this person. */
export async function optionsToAdd(deps: Deps, user: User) {
  const { expectedRPID: rpID } = siteOf(deps)
  const { generateRegistrationOptions } = await library()
  const options = await generateRegistrationOptions({
    rpName: 'Voxscribe',
    rpID,
    userID: new TextEncoder().encode(user._id),
    userName: user.email,
    userDisplayName: `${user.firstName} ${user.lastName}`,
    supportedAlgorithmIDs: ALGORITHMS,
    attestationType: 'none',
    excludeCredentials: (await deps.passkeys.all(user)).map(({ _id: id, transports }) => ({
      id,
      transports,
    })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    timeout: deps.challengeTtlMs,
  })
  await deps.passes.add('challenge', options.challenge, deps.challengeTtlMs, { userId: user._id })
  return options
}

/** Adds a passkey that the browser has created. Throws 400 unless it answers a challenge for this person. */
export async function addPasskey(
  deps: Deps,
  user: User,
  { name, response }: CheckedBodyOf<typeof api.addPasskey>,
): Promise<Passkey> {
  const site = siteOf(deps)
  const { verifyRegistrationResponse } = await library()
  const { decodeAttestationObject, isoBase64URL } = await import('@simplewebauthn/server/helpers')
  const challenge = challengeIn(response.response.clientDataJSON)
  if ((await deps.passes.take('challenge', challenge))?.userId !== user._id) throw notAdded()
  const made = await undefinedIfRejected(async () => {
    const bytes = isoBase64URL.toBuffer(response.response.attestationObject)
    // Certificates in other formats may make the library contact their issuers; we request none.
    if (!['none', 'packed'].includes(decodeAttestationObject(bytes).get('fmt'))) return undefined
    return verifyRegistrationResponse({
      response,
      expectedChallenge: challenge,
      supportedAlgorithmIDs: ALGORITHMS,
      ...site,
    })
  })
  if (!made?.verified) throw notAdded()
  const { id, publicKey, counter } = made.registrationInfo.credential
  return deps.passkeys.add(user, {
    _id: id,
    name,
    publicKey: isoBase64URL.fromBuffer(publicKey),
    counter,
    transports: response.response.transports ?? [],
  })
}

/** Returns the options for choosing one of the person's passkeys in the browser. */
export async function optionsToSignIn(deps: Deps) {
  const { expectedRPID: rpID } = siteOf(deps)
  const { generateAuthenticationOptions } = await library()
  const timeout = deps.challengeTtlMs
  const options = await generateAuthenticationOptions({ rpID, userVerification: 'required', timeout })
  await deps.passes.add('challenge', options.challenge, timeout)
  return options
}

/** Returns the account whose passkey has signed an open challenge. Throws 401 for any other response. */
export async function signInByPasskey(
  deps: Deps,
  { response }: CheckedBodyOf<typeof api.passkeySignIn>,
): Promise<User> {
  const site = siteOf(deps)
  const { verifyAuthenticationResponse } = await library()
  const { isoBase64URL } = await import('@simplewebauthn/server/helpers')
  const expectedChallenge = challengeIn(response.response.clientDataJSON)
  // A challenge for adding a passkey has a user.
  const isOpen = (await deps.passes.take('challenge', expectedChallenge))?.userId === null
  const user = await deps.users.byId(fromBase64(response.response.userHandle))
  const passkey = user && (await deps.passkeys.find(user, response.id))
  if (!isOpen || !passkey) throw refusal('passkey_refused')
  const credential = {
    id: passkey._id,
    publicKey: isoBase64URL.toBuffer(passkey.publicKey),
    counter: passkey.counter,
  }
  const signed = await undefinedIfRejected(() =>
    verifyAuthenticationResponse({ response, expectedChallenge, credential, ...site }),
  )
  if (!signed?.verified) throw refusal('passkey_refused')
  // Two simultaneous responses with the same counter mean that one is from a clone.
  if (!(await deps.passkeys.noteUse(passkey._id, signed.authenticationInfo.newCounter)))
    throw refusal('passkey_refused')
  if (user.blocked) throw accountBlocked(deps.supportEmail)
  return user
}

const fromBase64 = (text: string): string => Buffer.from(text, 'base64url').toString()

/** Returns the challenge in the client data; empty if it can't be parsed. */
function challengeIn(clientDataJSON: string): string {
  try {
    return String(JSON.parse(fromBase64(clientDataJSON)).challenge)
  } catch {
    return ''
  }
}

/** Returns undefined for what the library rejects, which it does by throwing. */
const undefinedIfRejected = <T>(verify: () => Promise<T>): Promise<T | undefined> =>
  verify().catch(() => undefined)

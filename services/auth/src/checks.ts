import { createPublicKey } from 'node:crypto'
import { type Check, check, keyId, ok, onlyWith, publicKeys, wrong } from '@voxscribe/service'

interface Keys {
  JWT_PRIVATE_KEY?: string | undefined
  JWT_PUBLIC_KEY?: string | undefined
}

/** Checks for the doctor. `isApart`: each service runs in its own process. */
export const checks = (settings: Keys, isApart: boolean): Check[] =>
  onlyWith('JWT_PRIVATE_KEY', 'made at the first start', keysCheck(settings, isApart))

/** Checks that the keys of access tokens match. */
function keysCheck({ JWT_PRIVATE_KEY: privateKey = '', JWT_PUBLIC_KEY }: Keys, isApart: boolean): Check {
  const next =
    'Make a pair with `node deploy/image/keys.mjs private.pem public.pem`; while keys change, JWT_PUBLIC_KEY holds both.'
  return check('keys', next, async () => {
    if (isApart && !JWT_PUBLIC_KEY)
      return wrong('JWT_PUBLIC_KEY is not set: all services but auth refuse to start', next)
    const own = keyId(createPublicKey(privateKey))
    const known = publicKeys(JWT_PUBLIC_KEY ?? '').map(keyId)
    const isKnown = !JWT_PUBLIC_KEY || known.includes(own)
    return isKnown
      ? ok(`access tokens are signed with key ${own.slice(0, 8)}`)
      : wrong('JWT_PUBLIC_KEY is not the public half of JWT_PRIVATE_KEY', next)
  })
}

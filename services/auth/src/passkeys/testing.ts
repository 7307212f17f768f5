import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { isoCBOR } from '@simplewebauthn/server/helpers'

const PRESENT = 0x01
const VERIFIED = 0x04
const HAS_CREDENTIAL = 0x40

const sha256 = (data: string | Uint8Array) => createHash('sha256').update(data).digest()
const base64url = (data: string | Uint8Array) => Buffer.from(data).toString('base64url')

/** Differences from a genuine response. */
interface Tampering {
  origin?: string
  rpId?: string
  counter?: number
  isVerified?: boolean
  userHandle?: string
  id?: string
}

/** A software authenticator with one discoverable credential on the curve P-256, and its browser. */
export function createAuthenticator(origin: string) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const credentialId = randomBytes(32)
  const id = base64url(credentialId)
  let counter = 0
  let userHandle = ''

  function authData(flags: number, tampering: Tampering, more: Uint8Array = Buffer.alloc(0)) {
    const rpId = tampering.rpId ?? new URL(origin).hostname
    const verified = tampering.isVerified === false ? 0 : VERIFIED
    const count = Buffer.alloc(4)
    count.writeUInt32BE(tampering.counter ?? ++counter)
    return Buffer.concat([sha256(rpId), Buffer.from([flags | PRESENT | verified]), count, more])
  }

  const clientData = (type: string, challenge: string, tampering: Tampering) =>
    base64url(JSON.stringify({ type, challenge, origin: tampering.origin ?? origin, crossOrigin: false }))

  const answered = <Answer>(tampering: Tampering, response: Answer) => ({
    id: tampering.id ?? id,
    rawId: tampering.id ?? id,
    type: 'public-key',
    authenticatorAttachment: 'platform',
    clientExtensionResults: {},
    response,
  })

  return {
    id,
    /** Responds to creation options, as `navigator.credentials.create` does. */
    create(options: { challenge: string; user: { id: string } }, tampering: Tampering = {}) {
      userHandle = options.user.id
      // COSE: EC2, ES256, P-256.
      const key = new Map<number, number | Uint8Array>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, new Uint8Array(Buffer.from(x, 'base64url'))],
        [-3, new Uint8Array(Buffer.from(y, 'base64url'))],
      ])
      const credential = Buffer.concat([
        Buffer.alloc(16),
        Buffer.from([0, credentialId.length]),
        credentialId,
        isoCBOR.encode(key),
      ])
      const attestation = new Map<string, unknown>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', new Uint8Array(authData(HAS_CREDENTIAL, { counter: 0, ...tampering }, credential))],
      ])
      return answered(tampering, {
        clientDataJSON: clientData('webauthn.create', options.challenge, tampering),
        attestationObject: base64url(isoCBOR.encode(attestation as never)),
        transports: ['internal'],
      })
    },
    /** Responds to request options, as `navigator.credentials.get` does. */
    get({ challenge }: { challenge: string }, tampering: Tampering = {}) {
      const clientDataJSON = clientData('webauthn.get', challenge, tampering)
      const data = authData(0, tampering)
      const signed = Buffer.concat([data, sha256(Buffer.from(clientDataJSON, 'base64url'))])
      return answered(tampering, {
        clientDataJSON,
        authenticatorData: base64url(data),
        signature: base64url(sign('sha256', signed, privateKey)),
        userHandle: tampering.userHandle ?? userHandle,
      })
    },
  }
}

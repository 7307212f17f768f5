import { timingSafeEqual } from 'node:crypto'
import { Binary, serialize } from 'bson'
import type { Doc } from '../store/values.ts'

/** The user of every embedded server: its secret is what counts. */
export const USER = 'voxscribe'

/** Sent by drivers before they sign in, and by their monitors, which never do. */
const HANDSHAKES = ['hello', 'ismaster', 'isMaster']
const refused = (code: number, codeName: string, errmsg: string) =>
  serialize({ ok: 0, code, codeName, errmsg })

/** Returns the reply to a command that is not for the database, as BSON; undefined for one that is. */
export type Login = (command: Doc) => Uint8Array | undefined

/** Refuses commands until a client has sent the secret, by SASL PLAIN (RFC 4616): a port is open to all users here. */
export function createLogin(secret: string | undefined): Login {
  let isOpen = secret === undefined
  const wanted = Buffer.from(`\0${USER}\0${secret}`)
  return command => {
    const [name = ''] = Object.keys(command)
    if (isOpen || HANDSHAKES.includes(name)) return undefined
    if (name !== 'saslStart') return refused(13, 'Unauthorized', `Command ${name} requires authentication`)
    const { payload } = command
    const given =
      payload instanceof Binary
        ? Buffer.from(payload.buffer.subarray(0, payload.position))
        : wanted.subarray(1)
    isOpen = given.length === wanted.length && timingSafeEqual(given, wanted)
    return isOpen
      ? serialize({ conversationId: 1, done: true, payload: new Binary(), ok: 1 })
      : refused(18, 'AuthenticationFailed', 'Authentication failed')
  }
}

import { KeyScope, type OAuthGrant } from '@voxscribe/contracts/http'
import { type Documents, hashOf, refusal, schemaOf } from '@voxscribe/service'
import type { Adapter, AdapterPayload } from 'oidc-provider'
import { z } from 'zod'
import type { User } from '../accounts/users.ts'
import type { PublishEnded } from '../sessions/sessions.ts'

/** Lifetime of a connection without a new token, and of a registration without a connection. */
export const UNUSED_SECONDS = 90 * 86_400
/** How long an exchanged refresh token is remembered. Using it again ends its connection. */
const SPENT_MS = 7 * 86_400_000
/** Minimum time between two writes of `lastUsedAt`. */
const USE_WRITTEN_MS = 60_000

/** A program's name, as the program states it, and the host that receives its codes. */
const Program = z.object({ name: z.string(), host: z.string() })
type Program = z.infer<typeof Program>

/** A document of the library: a program, a consent request, a connection (`Grant`), a code or a token. */
const Stored = z.object({
  /** A hash, because the ids of codes and tokens are the codes and tokens themselves. */
  _id: z.string(),
  model: z.string(),
  userId: z.string().optional(),
  grantId: z.string().optional(),
  clientId: z.string().optional(),
  payload: z.record(z.string(), z.unknown()),
  /** When a code or refresh token was exchanged, or a consent request answered. */
  spentAt: z.date().optional(),
  program: Program.optional(),
  createdAt: z.date(),
  lastUsedAt: z.date().optional(),
  expiresAt: z.date(),
})
type Stored = z.infer<typeof Stored>

const storedSchema = schemaOf(Stored)
  .index({ expiresAt: 1 }, { expireAfterSeconds: 0 })
  .index({ userId: 1 }, { sparse: true })
  .index({ grantId: 1 }, { sparse: true })
  .index({ clientId: 1 }, { sparse: true })

type Owner = Pick<User, '_id' | 'generation'>
/** An account's id for the library. It changes with the generation, which ends connections along with sessions. */
export const accountIdOf = ({ _id, generation }: Owner): string => `${_id}.${generation}`
export function ownerOf(accountId: string): Owner {
  const [_id = '', generation] = accountId.split('.')
  return { _id, generation: Number(generation) }
}

/** Returns the cookie's name for a consent request; a browser may have several open. */
export const cookieNameOf = (uid: string): string => `voxscribe_connect_${uid.slice(0, 12)}`

const idOf = (model: string, id: string) => hashOf(`${model} ${id}`)
const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1000)
const unexpired = (found: Stored | null): Stored | undefined =>
  found && found.expiresAt.getTime() > Date.now() ? found : undefined

/** Returns the resource (`/mcp` or `/v1`) and the scopes of a connection. */
function openedBy({ payload }: Pick<Stored, 'payload'>): { resource: string; scopes: KeyScope[] } {
  const [[resource, scope] = ['', '']] = Object.entries(payload.resources as Record<string, string>)
  return { resource, scopes: z.array(KeyScope).parse(scope.split(' ')) }
}

/** Returns the key by which a program's connections to one resource are grouped. */
const placeOf = (grant: Stored): string => `${grant.clientId} ${openedBy(grant).resource}`

/** Merges the connections of one program, newest first. */
function presented(grants: Stored[]): OAuthGrant {
  const { grantId = '', program = { name: '', host: '' }, ...newest } = grants[0]!
  const scopes = grants.flatMap(grant => openedBy(grant).scopes)
  const uses = grants.flatMap(({ lastUsedAt }) => lastUsedAt?.toISOString() ?? [])
  return {
    id: grantId,
    ...program,
    resource: openedBy(newest).resource,
    scopes: KeyScope.options.filter(scope => scopes.includes(scope)),
    createdAt: grants.at(-1)!.createdAt.toISOString(),
    lastUsedAt: uses.sort().at(-1) ?? null,
  }
}

/** Stores the library's documents, and lists connections. */
export function createOAuthStore(documents: Documents, publishEnded: PublishEnded) {
  const stored = documents.model<Stored>('oauth', storedSchema, { owner: 'userId' })
  const get = async (model: string, id: string) =>
    unexpired(await stored.findById(idOf(model, id)).lean<Stored>())

  /** Ends a connection with its codes and tokens. A token stored a moment later has no connection, so it's invalid. */
  async function end(grantId: string): Promise<void> {
    const grant = await stored.findById(idOf('Grant', grantId), { userId: 1 }).lean<Stored>()
    if (grant?.userId) await publishEnded(grant.userId, grantId)
    await stored.deleteMany({ grantId })
  }

  /** Marks a document as used. Returns false if another call already did. */
  const spend = async (model: string, id: string, more: object = {}): Promise<boolean> =>
    (
      await stored.updateOne(
        { _id: idOf(model, id), spentAt: null },
        { $set: { spentAt: new Date(), ...more } },
      )
    ).modifiedCount === 1

  const adapter = (model: string): Adapter => ({
    async upsert(id, { jti: _, ...payload }, seconds = UNUSED_SECONDS) {
      // People sign in on our pages; the library's own session would remember an earlier sign-in.
      if (model === 'Session') return
      const { accountId, clientId, grantId = model === 'Grant' ? id : undefined } = payload
      const set = {
        ...{ model, payload, expiresAt: inSeconds(seconds) },
        ...(accountId && { userId: ownerOf(accountId)._id }),
        ...(clientId && { clientId }),
        ...(grantId && { grantId }),
      }
      const $setOnInsert = { createdAt: new Date() }
      await stored.updateOne({ _id: idOf(model, id) }, { $set: set, $setOnInsert }, { upsert: true })
      if (model !== 'AccessToken') return
      const used = [idOf('Grant', grantId ?? ''), idOf('Client', clientId ?? '')]
      await stored.updateMany({ _id: { $in: used } }, { $set: { expiresAt: inSeconds(UNUSED_SECONDS) } })
    },
    async find(id) {
      const found = await get(model, id)
      if (!found) return undefined
      const { payload, spentAt, expiresAt } = found
      if (model === 'Client') return payload as AdapterPayload
      const exp = Math.floor(expiresAt.getTime() / 1000)
      return { ...payload, jti: id, exp, ...(spentAt && { consumed: spentAt.getTime() / 1000 }) }
    },
    async consume(id) {
      const expiresAt = new Date(Date.now() + SPENT_MS)
      const found = await get(model, id)
      // Of two simultaneous calls, the later one reuses a token.
      if (found && (await spend(model, id, model === 'RefreshToken' ? { expiresAt } : {}))) return
      if (found?.grantId) await end(found.grantId)
      const { errors } = await import('oidc-provider')
      throw new errors.InvalidGrant('it was used before')
    },
    async destroy(id) {
      await stored.deleteOne({ _id: idOf(model, id) })
    },
    async revokeByGrantId(grantId) {
      // The library calls this for each kind of token.
      if (model === 'AccessToken') await end(grantId)
    },
    findByUid: async () => undefined,
    findByUserCode: async () => undefined,
  })

  return {
    adapter,
    end,
    /** Whether anyone has connected this program. */
    knows: async (clientId: string): Promise<boolean> =>
      (await stored.exists({ model: 'Grant', clientId })) !== null,
    /** Stores the program that made a consent request, or that a connection belongs to. */
    async name(model: 'Interaction' | 'Grant', id: string, program: Program): Promise<void> {
      await stored.updateOne({ _id: idOf(model, id) }, { $set: { program } })
    },
    programOf: async (uid: string): Promise<Program | undefined> => (await get('Interaction', uid))?.program,
    /** Claims the answer to a consent request. Returns false if it's already answered. */
    answer: (uid: string): Promise<boolean> => spend('Interaction', uid),

    /** Newest first. Repeated connections of a program to the same resource are listed as one. */
    async of(owner: Owner): Promise<OAuthGrant[]> {
      const lasting = { userId: owner._id, model: 'Grant', expiresAt: { $gt: new Date() } }
      const grants = await stored.find(lasting).sort({ createdAt: -1 }).lean<Stored[]>()
      const current = grants.filter(({ payload }) => payload.accountId === accountIdOf(owner))
      return Map.groupBy(current, placeOf).values().map(presented).toArray()
    },

    /** Ends all of a program's connections to the same resource. Returns false if the person has no such connection. */
    async endOf(userId: string, grantId: string): Promise<boolean> {
      const grants = await stored.find({ model: 'Grant', userId }).lean<Stored[]>()
      const requested = grants.find(grant => grant.grantId === grantId)
      if (!requested) return false
      for (const grant of grants) if (placeOf(grant) === placeOf(requested)) await end(grant.grantId ?? '')
      return true
    },
    /** Ends the connections of one person, or of everyone. Returns how many there were. */
    async endAllOf(userId?: string): Promise<number> {
      const which = { model: 'Grant', ...(userId && { userId }) }
      const grants = await stored.find(which, { grantId: 1 }).lean<Stored[]>()
      for (const { grantId } of grants) if (grantId) await end(grantId)
      return grants.length
    },

    /** Returns the connection of an access token for this resource. Throws 401 if there isn't one. */
    async admit(token: string, resource: string) {
      const access = await get('AccessToken', token)
      const grant = access?.grantId && access.payload.aud === resource && (await get('Grant', access.grantId))
      if (!grant) throw refusal('connection_ended')
      const { _id, grantId = '', payload, lastUsedAt } = grant
      async function noteUse(): Promise<void> {
        if (Date.now() - (lastUsedAt?.getTime() ?? 0) > USE_WRITTEN_MS)
          await stored.updateOne({ _id }, { $set: { lastUsedAt: new Date() } })
      }
      const scopes = z.array(KeyScope).parse(String(access.payload.scope).split(' '))
      return { id: grantId, owner: ownerOf(String(payload.accountId)), scopes, noteUse }
    },
  }
}

import { KeyScope, type OAuthGrant } from '@voxscribe/contracts/http'
import { type Documents, hashOf, refusal, schemaOf } from '@voxscribe/service'
import type { Adapter, AdapterPayload } from 'oidc-provider'
import { z } from 'zod'
import type { User } from '../accounts/users.ts'
import type { PublishEnded } from '../sessions/sessions.ts'

/** A connection without a new token, and a registration without a connection, end after this time. */
export const UNUSED_SECONDS = 90 * 86_400
/** An exchanged refresh token is remembered this long: when it comes again, its connection ends. */
const SPENT_MS = 7 * 86_400_000
/** A use is written down again only after this time. */
const USE_WRITTEN_MS = 60_000

/** A program's name as it gives it, and the host that gets its codes. */
const Program = z.object({ name: z.string(), host: z.string() })
type Program = z.infer<typeof Program>

/** Any document of the library: a program, a question to a person, a connection (`Grant`), its codes and tokens. */
const Stored = z.object({
  /** A hash: the ids of codes and tokens are the codes and tokens themselves. */
  _id: z.string(),
  model: z.string(),
  userId: z.string().optional(),
  grantId: z.string().optional(),
  clientId: z.string().optional(),
  payload: z.record(z.string(), z.unknown()),
  /** When a code or refresh token was exchanged, or a question answered. */
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
/** An account as the library knows it: its next generation is another one, and ends its connections with its sessions. */
export const accountIdOf = ({ _id, generation }: Owner): string => `${_id}.${generation}`
export function ownerOf(accountId: string): Owner {
  const [_id = '', generation] = accountId.split('.')
  return { _id, generation: Number(generation) }
}

/** Names the cookie of the browser that a question is put to: several may be open. */
export const cookieNameOf = (uid: string): string => `voxscribe_connect_${uid.slice(0, 12)}`

const idOf = (model: string, id: string) => hashOf(`${model} ${id}`)
const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1000)
const lasts = (found: Stored | null): Stored | undefined =>
  found && found.expiresAt.getTime() > Date.now() ? found : undefined

/** The address of ours that a connection opens, and its scopes. */
function openedBy({ payload }: Pick<Stored, 'payload'>): { resource: string; scopes: KeyScope[] } {
  const [[resource, scope] = ['', '']] = Object.entries(payload.resources as Record<string, string>)
  return { resource, scopes: z.array(KeyScope).parse(scope.split(' ')) }
}

/** The program of a connection, and the address of ours that it opens. */
const placeOf = (grant: Stored): string => `${grant.clientId} ${openedBy(grant).resource}`

/** Presents the connections of one program, newest first, as one. */
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

/** Keeps what the library keeps, and the list of connections. */
export function createOAuthStore(documents: Documents, publishEnded: PublishEnded) {
  const stored = documents.model<Stored>('oauth', storedSchema, { owner: 'userId' })
  const get = async (model: string, id: string) =>
    lasts(await stored.findById(idOf(model, id)).lean<Stored>())

  /** Ends a connection with its codes and tokens. Those that are stored a moment later have no connection. */
  async function end(grantId: string): Promise<void> {
    const grant = await stored.findById(idOf('Grant', grantId), { userId: 1 }).lean<Stored>()
    if (grant?.userId) await publishEnded(grant.userId, grantId)
    await stored.deleteMany({ grantId })
  }

  /** Returns whether this call is the one that spends it. */
  const spend = async (model: string, id: string, more: object = {}): Promise<boolean> =>
    (
      await stored.updateOne(
        { _id: idOf(model, id), spentAt: null },
        { $set: { spentAt: new Date(), ...more } },
      )
    ).modifiedCount === 1

  const adapter = (model: string): Adapter => ({
    async upsert(id, { jti: _, ...payload }, seconds = UNUSED_SECONDS) {
      // People sign in to our pages: the library's own sessions would remember an earlier one.
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
      // Of two calls at once, the later one has a token that was used before.
      if (found && (await spend(model, id, model === 'RefreshToken' ? { expiresAt } : {}))) return
      if (found?.grantId) await end(found.grantId)
      const { errors } = await import('oidc-provider')
      throw new errors.InvalidGrant('it was used before')
    },
    async destroy(id) {
      await stored.deleteOne({ _id: idOf(model, id) })
    },
    async revokeByGrantId(grantId) {
      // Called for each kind of token.
      if (model === 'AccessToken') await end(grantId)
    },
    findByUid: async () => undefined,
    findByUserCode: async () => undefined,
  })

  return {
    adapter,
    end,
    /** Whether a person has let this program in. */
    knows: async (clientId: string): Promise<boolean> =>
      (await stored.exists({ model: 'Grant', clientId })) !== null,
    /** Notes who asks, or who a connection is with. */
    async name(model: 'Interaction' | 'Grant', id: string, program: Program): Promise<void> {
      await stored.updateOne({ _id: idOf(model, id) }, { $set: { program } })
    },
    programOf: async (uid: string): Promise<Program | undefined> => (await get('Interaction', uid))?.program,
    /** Returns whether nobody has answered this question before. */
    answer: (uid: string): Promise<boolean> => spend('Interaction', uid),

    /** Newest first; a program that came again, for more, is one connection to the person. */
    async of(owner: Owner): Promise<OAuthGrant[]> {
      const lasting = { userId: owner._id, model: 'Grant', expiresAt: { $gt: new Date() } }
      const grants = await stored.find(lasting).sort({ createdAt: -1 }).lean<Stored[]>()
      const current = grants.filter(({ payload }) => payload.accountId === accountIdOf(owner))
      return Map.groupBy(current, placeOf).values().map(presented).toArray()
    },

    /** Ends a program's connection, however often it came. Returns whether the person had it. */
    async endOf(userId: string, grantId: string): Promise<boolean> {
      const grants = await stored.find({ model: 'Grant', userId }).lean<Stored[]>()
      const asked = grants.find(grant => grant.grantId === grantId)
      if (!asked) return false
      for (const grant of grants) if (placeOf(grant) === placeOf(asked)) await end(grant.grantId ?? '')
      return true
    },
    /** Ends the connections of a person, or of everybody; returns how many there were. */
    async endAllOf(userId?: string): Promise<number> {
      const which = { model: 'Grant', ...(userId && { userId }) }
      const grants = await stored.find(which, { grantId: 1 }).lean<Stored[]>()
      for (const { grantId } of grants) if (grantId) await end(grantId)
      return grants.length
    },

    /** Returns the connection of an access token for this address of ours; throws 401 for none. */
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

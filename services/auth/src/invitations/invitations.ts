import { randomUUID } from 'node:crypto'
import { InvitationMade } from '@voxscribe/contracts/events'
import type { Invitation as PublicInvitation } from '@voxscribe/contracts/http'
import { INVITATION_DAYS, INVITATIONS_MAX } from '@voxscribe/contracts/limits'
import {
  currentTrace,
  type Documents,
  hashOf,
  inFreePlace,
  invalidField,
  newSecret,
  refusal,
  schemaOf,
} from '@voxscribe/service'
import { z } from 'zod'
import type { User } from '../accounts/users.ts'

const Invitation = z.object({
  _id: z.string(),
  /** The inviter; null: the operator. */
  userId: z.string().nullable(),
  /** One of a person's `INVITATIONS_MAX` places; unique. Unset for the operator's invitations. */
  place: z.string().optional(),
  email: z.string(),
  tokenHash: z.string(),
  expiresAt: z.date(),
})
type Invitation = z.infer<typeof Invitation>

const VALID_MS = INVITATION_DAYS * 86_400_000

const invitationSchema = schemaOf(Invitation)
  .index({ tokenHash: 1 }, { unique: true })
  .index({ place: 1 }, { unique: true, sparse: true })
  .index({ userId: 1 })
  .index({ email: 1 })
  .index({ expiresAt: 1 }, { expireAfterSeconds: 0 })

const present = ({ _id: id, email, expiresAt }: Invitation): PublicInvitation => ({
  id,
  email,
  expiresAt: expiresAt.toISOString(),
})

/**
 * Invitations to open an account. Only a hash of the token is stored. Each is for one address, which has one account,
 * so it can't open two, and it stays valid when a sign-up fails.
 */
export function createInvitations(documents: Documents, publicUrl: string) {
  const invitations = documents.outboxModel<Invitation>('invitations', invitationSchema, { owner: 'userId' })
  const open = () => ({ expiresAt: { $gt: new Date() } })

  function newInvitation(userId: string | null, email: string) {
    const token = newSecret()
    const expiresAt = new Date(Date.now() + VALID_MS)
    const invitation: Invitation = { _id: randomUUID(), userId, email, tokenHash: hashOf(token), expiresAt }
    return { invitation, inviteLink: `${publicUrl}/signup?${new URLSearchParams({ invite: token, email })}` }
  }

  return {
    /** Returns a person's open invitations, newest first. */
    of: async (userId: string): Promise<PublicInvitation[]> =>
      (
        await invitations
          .find({ userId, ...open() })
          .sort({ expiresAt: -1 })
          .lean<Invitation[]>()
      ).map(present),

    /** Returns when each open invitation ends, soonest first, and whether it's the operator's. */
    ends: async (): Promise<{ at: Date; isOperators: boolean }[]> =>
      (await invitations.find(open()).sort({ expiresAt: 1 }).lean<Invitation[]>()).map(
        ({ expiresAt, userId }) => ({ at: expiresAt, isOperators: userId === null }),
      ),

    /** Mails an invitation, which ends the person's earlier one to that address. Throws 409 for too many. */
    async invite({ _id: userId, provedEmail }: User, email: string): Promise<PublicInvitation> {
      const isOver = { expiresAt: { $lte: new Date() } }
      await invitations.deleteMany({ userId, $or: [{ email }, isOver] })
      const places = Array.from({ length: INVITATIONS_MAX }, (_, at) => `${userId} ${at}`)
      const taken = async () =>
        (await invitations.find({ userId }, { place: 1 }).lean<Invitation[]>()).map(({ place }) => place)
      const made = await inFreePlace(places, taken, async place => {
        const { invitation, inviteLink } = newInvitation(userId, email)
        const expiresAt = invitation.expiresAt.toISOString()
        const data = { userId, email, from: provedEmail, inviteLink, expiresAt }
        const event = InvitationMade.create(data, { traceId: currentTrace() })
        await invitations.create({ ...invitation, place, outbox: [event] })
        return present(invitation)
      })
      if (!made) throw refusal('too_many_invitations')
      return made
    },

    /** Creates an operator's invitation and returns it with its link; no mail is sent. */
    async inviteAsOperator(email: string) {
      const { invitation, inviteLink } = newInvitation(null, email)
      await invitations.create({ ...invitation, outbox: [] })
      return { ...present(invitation), inviteLink }
    },

    /** Returns false if the person has no such open invitation. */
    end: async (userId: string, _id: string): Promise<boolean> =>
      (await invitations.deleteOne({ _id, userId, ...open() })).deletedCount === 1,

    endAllOf: async (userId: string): Promise<void> => {
      await invitations.deleteMany({ userId })
    },

    endTo: async (email: string): Promise<void> => {
      await invitations.deleteMany({ email })
    },

    isInvited: async (email: string): Promise<boolean> =>
      (await invitations.exists({ email, ...open() })) !== null,

    /** Throws 400 unless the token belongs to an open invitation to this address. */
    async check(token: string, email: string): Promise<void> {
      const found = await invitations.findOne({ tokenHash: hashOf(token), ...open() }).lean<Invitation>()
      if (!found) throw invalidField('invite', 'link_expired')
      if (found.email !== email) throw invalidField('email', 'not_the_invited')
    },
  }
}

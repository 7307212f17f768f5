import { type Documents, hashOf, invalidField, newSecret, schemaOf } from '@voxscribe/service'
import { z } from 'zod'

const TICKET_MS = 600_000
export const LINK_SECONDS = 3_600

/** A person whom the provider has signed in, and whom no account knows yet. */
const Ticket = z.object({
  /** The hash of the ticket, or of the token in a mail. */
  _id: z.string(),
  /** As `identityOf` writes it. */
  identity: z.string(),
  /** Null unless the provider has verified it. */
  email: z.string().nullable(),
  /** The account that a mailed link is for; null: a page has it. */
  userId: z.string().nullable(),
  expiresAt: z.date(),
})
export type Ticket = z.infer<typeof Ticket>

const ticketSchema = schemaOf(Ticket)
  .index({ identity: 1 })
  .index({ userId: 1 })
  .index({ expiresAt: 1 }, { expireAfterSeconds: 0 })

/** Keeps what the provider has said, until an account takes it. */
export function createTickets(documents: Documents) {
  const tickets = documents.model<Ticket>('oidc_tickets', ticketSchema, { owner: 'userId' })

  async function add(ticket: Omit<Ticket, '_id' | 'expiresAt'>, validMs: number): Promise<string> {
    const secret = newSecret()
    await tickets.create({ ...ticket, _id: hashOf(secret), expiresAt: new Date(Date.now() + validMs) })
    return secret
  }
  async function find(secret: string, field: 'ticket' | 'token'): Promise<Ticket> {
    const isOpen = { _id: hashOf(secret), expiresAt: { $gt: new Date() } }
    const found = await tickets.findOne(isOpen).lean<Ticket>()
    if (!found || (found.userId === null) !== (field === 'ticket')) throw invalidField(field, 'link_expired')
    return found
  }

  return {
    /** Returns a ticket for the page. */
    add: (identity: string, email: string | null) => add({ identity, email, userId: null }, TICKET_MS),
    /** Returns the token for a mail to this account. */
    addLink: ({ identity, email }: Ticket, userId: string) =>
      add({ identity, email, userId }, LINK_SECONDS * 1000),
    /** Throws 400 for a ticket that is unknown, used or over. */
    find: (ticket: string) => find(ticket, 'ticket'),
    findLink: async (token: string) => {
      const { userId, ...ticket } = await find(token, 'token')
      return { ...ticket, userId: userId ?? '' }
    },
    /** Returns whether this call is the one that uses it up. */
    use: async ({ _id }: Pick<Ticket, '_id'>): Promise<boolean> =>
      (await tickets.deleteOne({ _id })).deletedCount === 1,
    endAllOf: async (identity: string): Promise<void> => {
      await tickets.deleteMany({ identity })
    },
  }
}

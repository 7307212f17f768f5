import { GIST_CHOICES, LATE_ANSWERS } from '@voxscribe/contracts/business'
import { Chat, type Envelope } from '@voxscribe/contracts/events'
import { lineOf } from '@voxscribe/contracts/phone-lines'
import { UI_LANGUAGES } from '@voxscribe/languages'
import {
  type Documents,
  invalidField,
  isDuplicateKey,
  refusal,
  schemaOf,
  type WithOutbox,
} from '@voxscribe/service'
import type { QueryFilter, UpdateQuery } from 'mongoose'
import { z } from 'zod'

/** A requested password reset; the token itself is only in the e-mail. */
const Reset = z.object({
  /** The request's id, by which a repeat is detected. */
  id: z.string(),
  tokenHash: z.string(),
  expiresAt: z.date(),
})
export type Reset = z.infer<typeof Reset>

/** A proved address that the account has left and can restore. */
const FormerEmail = z.object({
  email: z.string(),
  /** The hash at the time of the change, so that the undo also reverts a reset made from the new address. */
  passwordHash: z.string(),
  tokenHash: z.string(),
  /** No other account can use the address until then. */
  until: z.date(),
})
export type FormerEmail = z.infer<typeof FormerEmail>

/** A replaced linked sender that the account can restore. */
const FormerNumber = z.object({
  phone: z.string().optional(),
  national: z.string(),
  countryId: z.string(),
  numberProved: z.boolean(),
  /** The account's `boundBy` at that time; restoring it restores the senders bound to it. */
  boundBy: z.string(),
  /** The link code that the new sender used. */
  usedCode: z.string().optional(),
  chat: Chat.optional(),
  tokenHash: z.string(),
  until: z.date(),
})
export type FormerNumber = z.infer<typeof FormerNumber>

/** The person's choice about their audio; other services receive it unchanged. */
const AudioChoice = z.object({
  /** Whether audio is kept after its text is complete. */
  keep: z.boolean(),
  /** Default: the installation's. */
  days: z.number().optional(),
  /** The choice applies to audio stored and texts completed from then on. */
  since: z.date(),
})

const User = z.object({
  _id: z.string(),
  email: z.string(),
  /** The last address proved by the sign-up or by opening one of our links. */
  provedEmail: z.string(),
  /** The last address whose mailbox is proved: by a mailed link or by the provider. A sign-up proves none by itself. */
  mailbox: z.string().optional(),
  /** Part of the link that proves the current address; unset if the address was already proved when it was chosen. */
  confirmToken: z.string().optional(),
  firstName: z.string(),
  lastName: z.string(),
  countryId: z.string(),
  /** National digits; empty if another account took over the number. */
  national: z.string(),
  /** E.164 digits without `+`; unset without a number. */
  phone: z.string().optional(),
  /** When the profile or a link set the number; older links are ignored. */
  numberChosenAt: z.date(),
  language: z.string(),
  uiLanguage: z.enum(UI_LANGUAGES),
  /** When the profile or the chat chose it; older choices are ignored. */
  uiLanguageChosenAt: z.date().optional(),
  /** The browser's time zone; at first the most populous one of the country. Unset in older accounts. */
  timeZone: z.string().optional(),
  lateAnswers: z.enum(LATE_ANSWERS).optional(),
  gists: z.enum(GIST_CHOICES).optional(),
  audio: AudioChoice.optional(),
  linkCode: z.string(),
  /** The link code at the last change of the number; ingestion binds proofs of senders to it. Default: `linkCode`. */
  boundBy: z.string().optional(),
  /** Link codes whose use was undone; ingestion drops the senders that they bound. */
  undoneCodes: z.array(z.string()).optional(),
  /** The chat that sent the last link code. */
  chat: Chat.optional(),
  /** Proof of the last linked Telegram chat, which stays linked while the proof holds. */
  telegram: z.object({ boundBy: z.string(), code: z.string().optional() }).optional(),
  /** Oldest first. */
  formerNumbers: z.array(FormerNumber).optional(),
  linked: z.boolean(),
  /** Whether the message with the link code showed the number; a hidden one proves only the sender's user id. */
  numberProved: z.boolean(),
  /** Incremented with each change that other services receive. */
  revision: z.number(),
  /** Identities at sign-in providers, as written by `identityOf`; never empty. */
  identities: z.array(z.string()).optional(),
  /** Empty if the provider opened the account, or if its owner removed the password. */
  passwordHash: z.string(),
  /** Sessions and access tokens of an earlier generation are invalid, so one write ends them all. */
  generation: z.number(),
  /** The generation of the last new password or undo; keys, passkeys and device cookies of earlier ones have ended. */
  passwordGeneration: z.number().default(0),
  /** Set while an operator blocks the account. */
  blocked: z.object({ at: z.date(), reason: z.string() }).nullable().optional(),
  resets: z.array(Reset).optional(),
  /** Oldest first; none is newer than the address in use. */
  formerEmails: z.array(FormerEmail),
  createdAt: z.date(),
})
export type User = z.infer<typeof User>

const UserDocument = User.extend({
  /** The telephone line of `phone`, however the number is written; belongs to one account. */
  line: z.string().optional(),
  /** The current address and those that can still be restored; each belongs to one account. */
  emails: z.array(z.string()),
  /** An erased account keeps only its id, until its event is published. */
  erasedAt: z.date().optional(),
})
type UserDocument = z.infer<typeof UserDocument> & WithOutbox

/** Fields that a change may set; `null` removes the number or the identities. */
export type UserChange = Partial<Omit<User, '_id' | 'phone' | 'identities' | 'revision' | 'createdAt'>> & {
  phone?: string | null
  identities?: string[] | null
}

const RESETS_KEPT = 5

const userSchema = schemaOf(UserDocument)
  .index({ email: 1 }, { unique: true })
  .index({ emails: 1 }, { unique: true })
  .index({ line: 1 }, { unique: true, sparse: true })
  .index({ linkCode: 1 }, { unique: true })
  .index({ identities: 1 }, { unique: true, sparse: true })
  .index({ 'resets.tokenHash': 1 }, { sparse: true })
  .index({ 'formerEmails.tokenHash': 1 }, { sparse: true })
  .index({ 'formerEmails.until': 1 }, { sparse: true })
  .index({ 'formerNumbers.tokenHash': 1 }, { sparse: true })
  .index({ 'formerNumbers.until': 1 }, { sparse: true })
  .index({ erasedAt: 1 }, { sparse: true })

/** Fields that erasure removes. */
const PERSONAL = Object.keys(UserDocument.shape).filter(
  name => !['_id', 'erasedAt', 'email', 'emails', 'linkCode'].includes(name),
)

const emailsOf = ({ email, formerEmails }: Pick<User, 'email' | 'formerEmails'>): string[] => [
  ...new Set([email, ...formerEmails.map(former => former.email)]),
]

/** Runs a write. Throws 409 for another account's e-mail address, number or identity; false for its link code. */
async function unlessTaken(write: () => Promise<boolean>): Promise<boolean> {
  try {
    return await write()
  } catch (error) {
    if (!isDuplicateKey(error)) throw error
    const [field] = Object.keys((error as { keyPattern?: object }).keyPattern ?? {})
    if (field === 'email' || field === 'emails') throw refusal('email_taken')
    if (field === 'identities') throw refusal('identity_taken')
    if (field === 'line') throw refusal('phone_taken')
    if (field === 'linkCode') return false
    throw error
  }
}

const TRIES = 5

/** Reads an account and changes it, again after each concurrent change. Throws 409 after five tries. */
export async function changeAsRead<T>(read: () => Promise<User>, change: (user: User) => Promise<T | false>) {
  for (let tried = 0; tried < TRIES; tried++) {
    const changed = await change(await read())
    if (changed) return changed
  }
  throw refusal('profile_changed')
}

export type Users = ReturnType<typeof createUsers>

export function createUsers(documents: Pick<Documents, 'outboxModel'>) {
  const users = documents.outboxModel('users', userSchema, {
    owner: null,
    because: 'emptied in one write; the id goes once its event is published',
  })
  const one = (filter: object) =>
    users.findOne({ ...filter, erasedAt: null }, { outbox: 0, line: 0, emails: 0 }).lean<User>()
  /** Finds the account of a mailed link that is still valid. Throws 400 otherwise. */
  async function ofLink(list: object, why: 'link_expired' | 'bad_reset_token' = 'link_expired') {
    const user = await one(list)
    if (!user) throw invalidField('token', why)
    return user
  }

  return {
    byId: (id: string) => one({ _id: id }),
    count: (filter: QueryFilter<UserDocument> = {}): Promise<number> =>
      users.countDocuments({ erasedAt: null, ...filter }),
    byEmail: (email: string) => one({ email }),
    byIdentity: (identity: string) => one({ identities: identity }),
    byLinkCode: (linkCode: string) => one({ linkCode }),
    byPhone: (phone: string) => one({ line: lineOf(phone) }),
    byResetToken: (tokenHash: string) =>
      ofLink({ resets: { $elemMatch: { tokenHash, expiresAt: { $gt: new Date() } } } }, 'bad_reset_token'),
    byUndoToken: (tokenHash: string) =>
      ofLink({ formerEmails: { $elemMatch: { tokenHash, until: { $gt: new Date() } } } }),
    byNumberToken: (tokenHash: string) =>
      ofLink({ formerNumbers: { $elemMatch: { tokenHash, until: { $gt: new Date() } } } }),
    /** Returns accounts with a former address or number that can no longer be restored. */
    withExpired: (former: 'formerEmails' | 'formerNumbers', now: Date, limit: number) =>
      users
        .find({ [`${former}.until`]: { $lte: now } })
        .limit(limit)
        .lean<User[]>(),
    /** Finds another account with this number, however it is written. */
    otherWithPhone: (phone: string, id: string) => one({ line: lineOf(phone), _id: { $ne: id } }),

    /** Returns false if the link code is another account's. Throws 409 for a taken e-mail address, number, identity. */
    register: (user: User, events: Envelope[]): Promise<boolean> =>
      unlessTaken(async () => {
        const line = user.phone && lineOf(user.phone)
        await users.create({ ...user, emails: emailsOf(user), ...(line ? { line } : {}), outbox: events })
        return true
      }),

    /**
     * Returns false if the account has changed since it was read, or the link code is taken. Throws like `register`.
     */
    change: (user: User, { phone, identities, ...set }: UserChange, events: Envelope[]) => {
      const { _id, revision } = user
      const isNewEmail = set.email !== undefined && set.email !== user.email
      const $unset = {
        ...(phone === null ? { phone: 1, line: 1 } : {}),
        ...(identities === null ? { identities: 1 } : {}),
        // Links in the old mailbox stop working.
        ...(isNewEmail && !set.resets ? { resets: 1 } : {}),
      }
      const update: UpdateQuery<UserDocument> = {
        $set: {
          ...set,
          ...(set.formerEmails ? { emails: emailsOf({ ...user, ...set }) } : {}),
          ...(phone ? { phone, line: lineOf(phone) } : {}),
          ...(identities ? { identities } : {}),
        },
        ...(Object.keys($unset).length ? { $unset } : {}),
        $inc: { revision: 1 },
        $push: { outbox: { $each: events } },
      }
      return unlessTaken(async () => (await users.updateOne({ _id, revision }, update)).modifiedCount === 1)
    },

    /** Does nothing if the address has changed: the link would be in another person's mailbox. */
    addReset: async ({ _id, email }: User, reset: Reset, events: Envelope[]): Promise<void> => {
      await users.updateOne(
        { _id, email, 'resets.id': { $ne: reset.id } },
        { $push: { resets: { $each: [reset], $slice: -RESETS_KEPT }, outbox: { $each: events } } },
      )
    },

    /** Publishes an event about an account without changing it. Returns false if the account is gone. */
    publish: async (_id: string, event: Envelope): Promise<boolean> =>
      (await users.updateOne({ _id, erasedAt: null }, { $push: { outbox: event } })).matchedCount === 1,

    /** Erases the account and publishes its event in one write. Returns false if another call already did. */
    erase: async ({ _id }: User, event: Envelope): Promise<boolean> => {
      // These fields are unique, so each gets the account's id.
      const placeholders = { email: _id, emails: [_id], linkCode: _id }
      const { modifiedCount } = await users.updateOne(
        { _id, erasedAt: null },
        {
          $set: { ...placeholders, erasedAt: new Date(), outbox: [event] },
          $unset: Object.fromEntries(PERSONAL.map(name => [name, 1])),
        },
      )
      return modifiedCount === 1
    },

    /** Deletes erased accounts once their event is published. */
    deleteErased: async (): Promise<void> => {
      await users.deleteMany({ erasedAt: { $lte: new Date() }, outbox: { $eq: [] } })
    },
  }
}

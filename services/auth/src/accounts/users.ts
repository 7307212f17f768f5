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

/** A password reset that was asked for; the token itself is only in the e-mail. */
const Reset = z.object({
  /** The request's id, so that a repeat is recognised. */
  id: z.string(),
  tokenHash: z.string(),
  expiresAt: z.date(),
})
export type Reset = z.infer<typeof Reset>

/** A proved address that the account has left, and that can be taken back. */
const FormerEmail = z.object({
  email: z.string(),
  /** The hash at the time of the change, so that a reset made from the new address is undone as well. */
  passwordHash: z.string(),
  tokenHash: z.string(),
  /** The address is kept from others until then. */
  until: z.date(),
})
export type FormerEmail = z.infer<typeof FormerEmail>

/** A linked sender that another one has replaced, and that can be taken back. */
const FormerNumber = z.object({
  phone: z.string().optional(),
  national: z.string(),
  countryId: z.string(),
  numberProved: z.boolean(),
  /** Of that time: brings its senders back. */
  boundBy: z.string(),
  /** The link code that the new sender used. */
  usedCode: z.string().optional(),
  chat: Chat.optional(),
  tokenHash: z.string(),
  until: z.date(),
})
export type FormerNumber = z.infer<typeof FormerNumber>

/** The person's choice about their audio; other services get it as it is. */
const AudioChoice = z.object({
  /** Whether it is kept once its text is there. */
  keep: z.boolean(),
  /** Unset: the installation's. */
  days: z.number().optional(),
  /** The choice is for audio stored, and texts completed, from then on. */
  since: z.date(),
})

const User = z.object({
  _id: z.string(),
  email: z.string(),
  /** The last address proved by the sign-up or by opening one of our links. */
  provedEmail: z.string(),
  /** In the link that proves the address in use, if it was not proved when it was chosen. */
  confirmToken: z.string().optional(),
  firstName: z.string(),
  lastName: z.string(),
  countryId: z.string(),
  /** National digits; empty when the number was lost to another account. */
  national: z.string(),
  /** E.164 digits; absent when there is none. */
  phone: z.string().optional(),
  /** When the profile or a link set the number; older links are ignored. */
  numberChosenAt: z.date(),
  language: z.string(),
  uiLanguage: z.enum(UI_LANGUAGES),
  /** When the profile or the chat chose it; older choices are ignored. */
  uiLanguageChosenAt: z.date().optional(),
  /** The browser's time zone, until then their country's most populous one; unset in older accounts. */
  timeZone: z.string().optional(),
  lateAnswers: z.enum(LATE_ANSWERS).optional(),
  gists: z.enum(GIST_CHOICES).optional(),
  audio: AudioChoice.optional(),
  linkCode: z.string(),
  /** The link code when the number changed last, by which ingestion keeps proofs of senders. Absent: `linkCode`. */
  boundBy: z.string().optional(),
  /** Link codes whose use was undone: ingestion does not keep the senders that they bound. */
  undoneCodes: z.array(z.string()).optional(),
  /** The chat that the last link code came from. */
  chat: Chat.optional(),
  /** How a Telegram chat was linked last: it is while its proof holds. */
  telegram: z.object({ boundBy: z.string(), code: z.string().optional() }).optional(),
  /** Oldest first. */
  formerNumbers: z.array(FormerNumber).optional(),
  linked: z.boolean(),
  /** Whether that message showed the number: a sender who hides it proves only who they are. */
  numberProved: z.boolean(),
  /** Counts the changes that other services get. */
  revision: z.number(),
  /** The person at providers that sign them in, as `identityOf` writes it; never empty. */
  identities: z.array(z.string()).optional(),
  /** Empty where the provider has opened the account, and once its person has removed the password. */
  passwordHash: z.string(),
  /** Sessions and access tokens of an older generation are invalid: one write ends them all. */
  generation: z.number(),
  /** The generation that began with the password: API keys and browsers of an older one are not known any more. */
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
  /** The telephone line of `phone`: whichever way it is written, it belongs to one account. */
  line: z.string().optional(),
  /** The address in use and those that can still be restored: each belongs to one account. */
  emails: z.array(z.string()),
  /** An erased account is kept until that is published, with its id and nothing else. */
  erasedAt: z.date().optional(),
})
type UserDocument = z.infer<typeof UserDocument> & WithOutbox

/** The fields that a change may set; a number, and identities, that are `null` are removed. */
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

/** Fields of no erased account. */
const PERSONAL = Object.keys(UserDocument.shape).filter(
  name => !['_id', 'erasedAt', 'email', 'emails', 'linkCode'].includes(name),
)

const emailsOf = ({ email, formerEmails }: Pick<User, 'email' | 'formerEmails'>): string[] => [
  ...new Set([email, ...formerEmails.map(former => former.email)]),
]

/** Runs a write. Throws 409 for another account's e-mail address or number; false for another's link code. */
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

/** Reads an account and changes it, again after each simultaneous change by others. Throws 409 after five tries. */
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
  /** Finds the account of a mail's link that still works. Throws 400 for another one. */
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
    /** Returns accounts with a former address or number that can be taken back no more. */
    withExpired: (former: 'formerEmails' | 'formerNumbers', now: Date, limit: number) =>
      users
        .find({ [`${former}.until`]: { $lte: now } })
        .limit(limit)
        .lean<User[]>(),
    /** Returns the other account that has the number, whichever way it is written. */
    otherWithPhone: (phone: string, id: string) => one({ line: lineOf(phone), _id: { $ne: id } }),

    /** Returns false when its link code is another account's. Throws 409 for a taken e-mail address or number. */
    register: (user: User, events: Envelope[]): Promise<boolean> =>
      unlessTaken(async () => {
        const line = user.phone && lineOf(user.phone)
        await users.create({ ...user, emails: emailsOf(user), ...(line ? { line } : {}), outbox: events })
        return true
      }),

    /** Returns false when the account is no longer as it was read, or as `register` does. Throws as `register` does. */
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

    /** No effect once the address has changed: the link would be in another person's mailbox. */
    addReset: async ({ _id, email }: User, reset: Reset, events: Envelope[]): Promise<void> => {
      await users.updateOne(
        { _id, email, 'resets.id': { $ne: reset.id } },
        { $push: { resets: { $each: [reset], $slice: -RESETS_KEPT }, outbox: { $each: events } } },
      )
    },

    /** Publishes an event about an account that does not change; false for one that is gone. */
    publish: async (_id: string, event: Envelope): Promise<boolean> =>
      (await users.updateOne({ _id, erasedAt: null }, { $push: { outbox: event } })).matchedCount === 1,

    /** Ends the account in one write with its event. False when another call has done so. */
    erase: async ({ _id }: User, event: Envelope): Promise<boolean> => {
      // Each of these is unique to an account.
      const nobodys = { email: _id, emails: [_id], linkCode: _id }
      const { modifiedCount } = await users.updateOne(
        { _id, erasedAt: null },
        {
          $set: { ...nobodys, erasedAt: new Date(), outbox: [event] },
          $unset: Object.fromEntries(PERSONAL.map(name => [name, 1])),
        },
      )
      return modifiedCount === 1
    },

    /** Deletes what is left of erased accounts once that is published. */
    deleteErased: async (): Promise<void> => {
      await users.deleteMany({ erasedAt: { $lte: new Date() }, outbox: { $eq: [] } })
    },
  }
}

import { GIST_CHOICES } from '@voxscribe/contracts/business'
import type { Envelope, EventOf } from '@voxscribe/contracts/events'
import { countryOfNumber } from '@voxscribe/contracts/phone-lines'
import { UI_LANGUAGES } from '@voxscribe/languages'
import { type Documents, keepNewest, schemaOf } from '@voxscribe/service'
import { z } from 'zod'
import { phoneKey } from './inbound.ts'

/** The choice as auth sends it. */
const AudioChoice = z.object({ keep: z.boolean(), days: z.number().optional(), since: z.date() })
export type AudioChoice = z.infer<typeof AudioChoice>
export const audioChoiceIn = (sent: NonNullable<AccountData['audio']>): AudioChoice => ({
  ...sent,
  since: new Date(sent.since),
})

const Account = z.object({
  _id: z.string(),
  /** Key of the number that the account claims; null without one. */
  phoneKey: z.string().nullable(),
  claimedAt: z.date(),
  /** Country of that number, ISO 3166-1 alpha-2; null while unknown. */
  country: z.string().nullable(),
  /** The claim that the number's owner was asked about, and when. */
  asked: z.object({ claimedAt: z.date(), at: z.date() }).optional(),
  /** Keys of disowned numbers; claims of them have no effect. */
  disowned: z.array(z.string()).optional(),
  linkCode: z.string(),
  /** Changes with the number; proofs bound to another value are void. */
  boundBy: z.string(),
  /** The link code and `boundBy` when a claim was voided; they no longer prove anything. */
  voidCode: z.string().optional(),
  voidBoundBy: z.string().optional(),
  /** Link codes whose use was undone; they no longer prove anything. */
  undoneCodes: z.array(z.string()).optional(),
  language: z.string(),
  blocked: z.boolean().optional(),
  uiLanguage: z.enum(UI_LANGUAGES).optional(),
  timeZone: z.string().optional(),
  /** Notes that get a gist automatically. */
  gists: z.enum(GIST_CHOICES).optional(),
  audio: AudioChoice.optional(),
  /** Counts changes, so that an older event never overwrites a newer one. */
  revision: z.number(),
})
export type Account = z.infer<typeof Account>

/** How long after the question a NO counts as its answer. */
const ANSWER_MS = 7 * 86_400_000

/** Whether the number's owner was asked within 7 days about this claim, or a later one whose event is in transit. */
export const mayObject = ({ asked, claimedAt }: Account, now: Date): boolean =>
  asked !== undefined &&
  asked.claimedAt.getTime() >= claimedAt.getTime() &&
  now.getTime() - asked.at.getTime() <= ANSWER_MS

const accountSchema = schemaOf(Account).index({ phoneKey: 1 }).index({ linkCode: 1 })

/** Returns the account's choices for its notes and texts, and the country of its number. */
export function noteSettingsOf(account: Account | null) {
  const { language = 'auto', country, uiLanguage, timeZone, gists } = account ?? {}
  return {
    language,
    ...(country ? { country } : {}),
    ...(uiLanguage && { uiLanguage }),
    ...(timeZone && { timeZone }),
    ...(gists && { gists }),
  }
}

type AccountData = Omit<EventOf<'UserUpdated'>['data'], 'email' | 'firstName' | 'lastName'>

/** Stores the fields of accounts that ingestion needs: number, link code, language, audio choice. */
export function createAccounts(documents: Pick<Documents, 'outboxModel'>) {
  const accounts = documents.outboxModel('accounts', accountSchema, { owner: '_id' })
  return {
    /** Applies an event, unless a newer one was applied. */
    async apply({ userId, phone, phoneClaimedAt, linkCode, language, ...rest }: AccountData): Promise<void> {
      const { boundBy = linkCode, undoneCodes, uiLanguage, timeZone, gists, audio } = rest
      const { blocked = false, revision } = rest
      const account = {
        _id: userId,
        phoneKey: phone && phoneKey(phone),
        claimedAt: new Date(phoneClaimedAt),
        country: (phone && countryOfNumber(phone)) || null,
        linkCode: linkCode.toUpperCase(),
        boundBy,
        ...(undoneCodes && { undoneCodes }),
        language,
        blocked,
        uiLanguage,
        ...(timeZone && { timeZone }),
        ...(gists && { gists }),
        ...(audio && { audio: audioChoiceIn(audio) }),
        revision,
      }
      await keepNewest(accounts, 'revision', account)
    },
    byId: async (id: string) => accounts.findById(id).lean(),
    byIds: (ids: string[]) => accounts.find({ _id: { $in: ids } }).lean(),
    byLinkCode: (linkCode: string) => accounts.findOne({ linkCode, voidCode: { $ne: linkCode } }).lean(),

    /** Returns the newest claim of the number. Auth allows only one, but there are two until its event arrives. */
    byPhoneKey: (key: string) =>
      accounts
        .findOne({ phoneKey: key, disowned: { $ne: key } })
        .sort({ claimedAt: -1, _id: 1 })
        .lean(),

    /** Records the first question about this claim. */
    async recordQuestion({
      data,
      occurredAt,
    }: Pick<EventOf<'OwnershipAsked'>, 'data' | 'occurredAt'>): Promise<void> {
      const [claimedAt, at] = [new Date(data.phoneClaimedAt), new Date(occurredAt)]
      const older = { $or: [{ asked: null }, { 'asked.claimedAt': { $lt: claimedAt } }] }
      const set = { $set: { asked: { claimedAt, at } } }
      await accounts.updateOne({ _id: data.userId, ...older }, set)
    },

    /** Voids the claim and all proofs so far, and publishes the event. Idempotent. */
    async rejectClaim({ _id, phoneKey: key, linkCode, boundBy }: Account, event: Envelope): Promise<void> {
      if (!key) return
      const still = { _id, phoneKey: key, disowned: { $ne: key } }
      await accounts.updateOne(still, {
        $set: { voidCode: linkCode, voidBoundBy: boundBy },
        $push: { disowned: key, outbox: event },
      })
    },

    /** Ends a claim, without an objection, because its person has left the number. Auth reports it as well. */
    unclaim: async (_id: string, key: string) =>
      accounts.updateOne({ _id, phoneKey: key }, { $set: { phoneKey: null } }),

    forget: async (_id: string) => accounts.deleteOne({ _id }),
  }
}
export type Accounts = ReturnType<typeof createAccounts>

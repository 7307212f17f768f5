import { GIST_CHOICES } from '@voxscribe/contracts/business'
import type { Envelope, EventOf } from '@voxscribe/contracts/events'
import { countryOfNumber } from '@voxscribe/contracts/phone-lines'
import { UI_LANGUAGES } from '@voxscribe/languages'
import { type Documents, keepNewest, schemaOf } from '@voxscribe/service'
import { z } from 'zod'
import { phoneKey } from './inbound.ts'

/** As auth sends it. */
const AudioChoice = z.object({ keep: z.boolean(), days: z.number().optional(), since: z.date() })
export type AudioChoice = z.infer<typeof AudioChoice>
export const audioChoiceIn = (sent: NonNullable<AccountNews['audio']>): AudioChoice => ({
  ...sent,
  since: new Date(sent.since),
})

const Account = z.object({
  _id: z.string(),
  /** Key of the number that the account claims; null when it has none. */
  phoneKey: z.string().nullable(),
  claimedAt: z.date(),
  /** ISO 3166-1 alpha-2, of that number; null while unknown. */
  country: z.string().nullable(),
  /** The claim about which the number was asked, and when. */
  asked: z.object({ claimedAt: z.date(), at: z.date() }).optional(),
  /** Keys of disowned numbers: claims of them have no effect. */
  disowned: z.array(z.string()).optional(),
  linkCode: z.string(),
  /** Proofs by another one are void: it changes with the number. */
  boundBy: z.string(),
  /** The link code at the time a claim was voided, and what proofs were bound by: they prove nothing any more. */
  voidCode: z.string().optional(),
  voidBoundBy: z.string().optional(),
  /** Link codes whose use was undone: they prove nothing any more. */
  undoneCodes: z.array(z.string()).optional(),
  language: z.string(),
  blocked: z.boolean().optional(),
  uiLanguage: z.enum(UI_LANGUAGES).optional(),
  timeZone: z.string().optional(),
  /** Notes whose gist is made by itself. */
  gists: z.enum(GIST_CHOICES).optional(),
  audio: AudioChoice.optional(),
  /** Counts changes, so that an older event never overwrites a newer one. */
  revision: z.number(),
})
export type Account = z.infer<typeof Account>

/** How long after the question a NO counts as its answer. */
const ANSWER_MS = 7 * 86_400_000

/** Whether the number's owner was asked within 7 days about this claim, or about a later one, whose event is still on its way. */
export const mayObject = ({ asked, claimedAt }: Account, now: Date): boolean =>
  asked !== undefined &&
  asked.claimedAt.getTime() >= claimedAt.getTime() &&
  now.getTime() - asked.at.getTime() <= ANSWER_MS

const accountSchema = schemaOf(Account).index({ phoneKey: 1 }).index({ linkCode: 1 })

/** Returns what an account chose for its notes and their texts, and the country of its number. */
export function speaks(account: Account | null) {
  const { language = 'auto', country, uiLanguage, timeZone, gists } = account ?? {}
  return {
    language,
    ...(country ? { country } : {}),
    ...(uiLanguage && { uiLanguage }),
    ...(timeZone && { timeZone }),
    ...(gists && { gists }),
  }
}

type AccountNews = Omit<EventOf<'UserUpdated'>['data'], 'email' | 'firstName' | 'lastName'>

/** Stores what ingestion needs of the accounts: number, link code, language, what becomes of audio. */
export function createAccounts(documents: Pick<Documents, 'outboxModel'>) {
  const accounts = documents.outboxModel('accounts', accountSchema, { owner: '_id' })
  return {
    /** Applies an event, unless a newer one was applied. */
    async learn({ userId, phone, phoneClaimedAt, linkCode, language, ...news }: AccountNews): Promise<void> {
      const { boundBy = linkCode, undoneCodes, uiLanguage, timeZone, gists, audio } = news
      const { blocked = false, revision } = news
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

    /** Returns the newest claim of the number. There are two while an event of auth, which allows one, is on its way. */
    byPhoneKey: (key: string) =>
      accounts
        .findOne({ phoneKey: key, disowned: { $ne: key } })
        .sort({ claimedAt: -1, _id: 1 })
        .lean(),

    /** Records the first question about this claim. */
    async asked({ data, occurredAt }: Pick<EventOf<'OwnershipAsked'>, 'data' | 'occurredAt'>): Promise<void> {
      const [claimedAt, at] = [new Date(data.phoneClaimedAt), new Date(occurredAt)]
      const older = { $or: [{ asked: null }, { 'asked.claimedAt': { $lt: claimedAt } }] }
      const set = { $set: { asked: { claimedAt, at } } }
      await accounts.updateOne({ _id: data.userId, ...older }, set)
    },

    /** Voids the claim and all proof so far, with one event. Idempotent. */
    async rejectClaim({ _id, phoneKey: key, linkCode, boundBy }: Account, event: Envelope): Promise<void> {
      if (!key) return
      const still = { _id, phoneKey: key, disowned: { $ne: key } }
      await accounts.updateOne(still, {
        $set: { voidCode: linkCode, voidBoundBy: boundBy },
        $push: { disowned: key, outbox: event },
      })
    },

    /** Ends a claim without an objection: its person has left the number. Auth reports it, too. */
    unclaim: async (_id: string, key: string) =>
      accounts.updateOne({ _id, phoneKey: key }, { $set: { phoneKey: null } }),

    forget: async (_id: string) => accounts.deleteOne({ _id }),
  }
}
export type Accounts = ReturnType<typeof createAccounts>

import type { Envelope } from '@voxscribe/contracts/events'
import { countryOfNumber } from '@voxscribe/contracts/phone-lines'
import { type Documents, keepNewest, schemaOf } from '@voxscribe/service'
import { z } from 'zod'
import { createRemembered } from './remembered.ts'
import { phoneKey } from './senders.ts'

const Account = z.object({
  _id: z.string(),
  /** Key of the number that the account claims; null when it has none. */
  phoneKey: z.string().nullable(),
  claimedAt: z.date(),
  /** The claim about which the person behind the number was asked, and when. */
  asked: z.object({ claimedAt: z.date(), at: z.date() }).optional(),
  /** Keys of numbers whose owners said that they are not the account's: claiming them has no effect. */
  disowned: z.array(z.string()).optional(),
  linkCode: z.string(),
  /** The code that it had when a claim of its was voided: it proves nothing, and a new one is on its way. */
  voidCode: z.string().optional(),
  language: z.string(),
  /** Counts the account's changes, so that an older event never overwrites a newer one. */
  revision: z.number(),
})
export type Account = z.infer<typeof Account>

const accountSchema = schemaOf(Account).index({ phoneKey: 1 }).index({ linkCode: 1 })

interface AccountNews {
  userId: string
  phone: string | null
  phoneClaimedAt: string
  linkCode: string
  language: string
  revision: number
}

/** Ingestion's view of the accounts: whose number, which link code, which language. */
export function createAccounts(
  documents: Pick<Documents, 'outboxModel'>,
  remembered = createRemembered(false),
) {
  const accounts = documents.outboxModel('accounts', accountSchema)
  return {
    /** Applies an event, unless something newer is known. */
    async learn({ userId, phone, phoneClaimedAt, linkCode, language, revision }: AccountNews): Promise<void> {
      const account = {
        _id: userId,
        phoneKey: phone && phoneKey(phone),
        claimedAt: new Date(phoneClaimedAt),
        linkCode: linkCode.toUpperCase(),
        language,
        revision,
      }
      await remembered.write(() => keepNewest(accounts, 'revision', account))
    },
    /** The language that a note of this person is expected in, and the country of their number. */
    async speaks(userId: string): Promise<{ language: string; country?: string }> {
      const account = await accounts.findById(userId).lean()
      const country = account?.phoneKey && countryOfNumber(account.phoneKey.replace('phone:', ''))
      return { language: account?.language ?? 'auto', ...(country ? { country } : {}) }
    },
    byId: (id: string) => remembered.read(id, async () => accounts.findById(id).lean()),
    byIds: (ids: string[]) => accounts.find({ _id: { $in: ids } }).lean(),
    byLinkCode: (code: string) =>
      accounts.findOne({ linkCode: code.toUpperCase(), voidCode: { $ne: code.toUpperCase() } }).lean(),

    /**
     * The account that claims the number. While news are on their way there may be two: the newest claim counts, as it
     * does with auth, which gives a number to one account at a time.
     */
    byPhoneKey: (key: string) =>
      accounts
        .findOne({ phoneKey: key, disowned: { $ne: key } })
        .sort({ claimedAt: -1, _id: 1 })
        .lean(),

    /** The person behind the number was asked about this claim; asked again, the first time counts. */
    async asked(userId: string, claimedAt: Date, at: Date): Promise<void> {
      const older = { $or: [{ asked: null }, { 'asked.claimedAt': { $lt: claimedAt } }] }
      const set = { $set: { asked: { claimedAt, at } } }
      await remembered.write(async () => accounts.updateOne({ _id: userId, ...older }, set))
    },

    /** Voids the claim, and all proof so far; the event goes out once, however often this is called. */
    async disown({ _id, phoneKey: key, linkCode }: Account, event: Envelope): Promise<void> {
      if (!key) return
      const still = { _id, phoneKey: key, disowned: { $ne: key } }
      await remembered.write(async () =>
        accounts.updateOne(still, {
          $set: { voidCode: linkCode },
          $push: { disowned: key, outbox: event },
        }),
      )
    },
  }
}
export type Accounts = ReturnType<typeof createAccounts>

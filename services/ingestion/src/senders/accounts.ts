import { type Documents, isDuplicateKey } from '@voxscribe/service'
import { Schema } from 'mongoose'
import { phoneKey } from './senders.ts'

export interface Account {
  _id: string
  /** Key of the number that the account claims; null when it has none. */
  phoneKey: string | null
  linkCode: string
  language: string
  /** Counts the account's changes: older news never overwrites newer. */
  revision: number
}

interface AccountNews {
  userId: string
  phone: string | null
  linkCode: string
  language: string
  revision: number
}

/** What ingestion knows of the accounts: whose number, which link code, which language. */
export function createAccounts(documents: Pick<Documents, 'model'>) {
  const accounts = documents.model<Account>(
    'accounts',
    new Schema<Account>({
      _id: String,
      phoneKey: String,
      linkCode: String,
      language: String,
      revision: Number,
    })
      .index({ phoneKey: 1 })
      .index({ linkCode: 1 }),
  )
  return {
    /** Takes over what an event says, unless something newer is known. */
    async learn({ userId, phone, linkCode, language, revision }: AccountNews): Promise<void> {
      const known = {
        phoneKey: phone && phoneKey(phone),
        linkCode: linkCode.toUpperCase(),
        language,
        revision,
      }
      const older = { _id: userId, revision: { $lt: revision } }
      try {
        await accounts.updateOne(older, { $set: known }, { upsert: true })
      } catch (error) {
        if (!isDuplicateKey(error)) throw error
        // The account is there: with this revision or a newer one, or with an older one that came in this moment.
        await accounts.updateOne(older, { $set: known })
      }
    },
    byId: (id: string) => accounts.findById(id).lean(),
    byIds: (ids: string[]) => accounts.find({ _id: { $in: ids } }).lean(),
    byLinkCode: (code: string) => accounts.findOne({ linkCode: code.toUpperCase() }).lean(),
    /** The account that claims the number. */
    byPhoneKey: (key: string) => accounts.findOne({ phoneKey: key }).lean(),
  }
}
export type Accounts = ReturnType<typeof createAccounts>

import type { Source } from '@voxscribe/contracts/events'
import { type Documents, keepNewest } from '@voxscribe/service'
import { Schema } from 'mongoose'

/** What is needed to write to a person. */
export interface Person {
  _id: string
  email: string
  firstName: string
  phone: string | null
  /** When they claimed that number. */
  phoneClaimedAt: string
  revision: number
}

/** Where a person's last note came from. */
interface LastChat {
  _id: string
  channel: Source['channel']
  address: string
  at: Date
}

const personSchema = new Schema<Person>(
  { _id: String, email: String, firstName: String, phone: String, phoneClaimedAt: String, revision: Number },
  { versionKey: false },
)
const lastChatSchema = new Schema<LastChat>(
  { _id: String, channel: String, address: String, at: Date },
  { versionKey: false },
)

export function createPeople(documents: Documents) {
  const People = documents.model<Person>('people', personSchema)
  const Chats = documents.model<LastChat>('last_chats', lastChatSchema)

  return {
    byId: (id: string) => People.findById(id).lean<Person>(),

    /** Keeps the newest revision, in whatever order they come. */
    save: async (person: Person): Promise<void> => {
      const { _id } = person
      const before = await People.findById(_id).lean<Person>()
      const isNewest = await keepNewest(People, 'revision', person)
      // The chat was that of the old number, which may be someone else's by now.
      if (isNewest && before && before.phone !== person.phone) await Chats.deleteOne({ _id })
    },

    /** The chat turned out to be someone else's. */
    forgetChat: async (_id: string): Promise<void> => {
      await Chats.deleteOne({ _id })
    },

    lastChat: (userId: string) => Chats.findById(userId).lean<LastChat>(),

    rememberChat: async (_id: string, { channel, address }: Source, at: Date): Promise<void> => {
      await keepNewest(Chats, 'at', { _id, channel, address, at })
    },
  }
}
export type People = ReturnType<typeof createPeople>

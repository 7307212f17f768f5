import { api, OwnWords } from '@voxscribe/contracts/http'
import { createRemembered, type Documents, implement, type Route, schemaOf } from '@voxscribe/service'
import { z } from 'zod'

const OwnWordsRecord = OwnWords.extend({
  /** The person's id. */
  _id: z.string(),
})

/** Names and replacements of each person; they live here, where texts are made. */
export function createOwnWords(documents: Documents, isAlone = false) {
  const people = documents.model('own_words', schemaOf(OwnWordsRecord), { owner: '_id' })
  const remembered = createRemembered(isAlone)
  return {
    async of(userId: string): Promise<OwnWords> {
      const found = await remembered.read(userId, async () => people.findById(userId).lean())
      const { words = [], replacements = [], declined = [] } = found ?? {}
      return { words, replacements, declined }
    },
    replace: (userId: string, own: OwnWords) =>
      remembered.write(async () => people.updateOne({ _id: userId }, { $set: own }, { upsert: true })),
    /** Forgets what is in memory of a person. */
    forget: () => remembered.write(async () => {}),
  }
}
type OwnWordsOfPeople = ReturnType<typeof createOwnWords>

export const ownWordsRoutes = (ownWords: OwnWordsOfPeople): Route[] => [
  implement(api.words, async ({ userId }) => ({ data: await ownWords.of(userId) })),
  implement(api.replaceWords, async ({ userId, body }) => {
    await ownWords.replace(userId, body)
    return { data: body, message: 'Saved' }
  }),
]

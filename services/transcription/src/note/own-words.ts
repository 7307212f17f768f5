import { api, OwnWords } from '@voxscribe/contracts/http'
import { type Documents, implement, type Route, schemaOf } from '@voxscribe/service'
import type { Engines } from '@voxscribe/speech'
import { z } from 'zod'

/** `_id`: the person's id. */
const OwnWordsRecord = OwnWords.extend({ _id: z.string() })

/** Stores each person's names and replacements, in the service that makes the texts. */
export function createOwnWords(documents: Documents) {
  const people = documents.model('own_words', schemaOf(OwnWordsRecord), { owner: '_id' })
  return {
    async forUser(userId: string): Promise<OwnWords> {
      const { words = [], replacements = [] } = (await people.findById(userId).lean()) ?? {}
      return { words, replacements }
    },
    replace: async (userId: string, own: OwnWords) =>
      people.updateOne({ _id: userId }, { $set: own }, { upsert: true }),
  }
}
export type OwnWordsStore = ReturnType<typeof createOwnWords>

/** Routes to read and replace a person's words, with the current engine's support for them. */
export function ownWordsRoutes(ownWords: OwnWordsStore, engines: Pick<Engines, 'current'>): Route[] {
  async function present(userId: string) {
    const { name, model, abilities } = engines.current() ?? {}
    return {
      ...(await ownWords.forUser(userId)),
      engine: name && model ? { name, model, takes: abilities?.words ?? null } : null,
    }
  }
  return [
    implement(api.words, async ({ userId }) => ({ data: await present(userId) })),
    implement(api.replaceWords, async ({ userId, body }) => {
      await ownWords.replace(userId, body)
      return { data: await present(userId), message: 'Saved' }
    }),
  ]
}

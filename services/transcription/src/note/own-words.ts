import { api, OwnWords } from '@voxscribe/contracts/http'
import { type Documents, implement, type Route, schemaOf } from '@voxscribe/service'
import type { Engines } from '@voxscribe/speech'
import { z } from 'zod'

/** `_id`: the person's id. */
const OwnWordsRecord = OwnWords.extend({ _id: z.string() })

/** Names and replacements of each person; they live here, where texts are made. */
export function createOwnWords(documents: Documents) {
  const people = documents.model('own_words', schemaOf(OwnWordsRecord), { owner: '_id' })
  return {
    async of(userId: string): Promise<OwnWords> {
      const { words = [], replacements = [] } = (await people.findById(userId).lean()) ?? {}
      return { words, replacements }
    },
    replace: async (userId: string, own: OwnWords) =>
      people.updateOne({ _id: userId }, { $set: own }, { upsert: true }),
  }
}
export type OwnWordsStore = ReturnType<typeof createOwnWords>

/** The calls of a person about their words, with what the engine in use does with these. */
export function ownWordsRoutes(ownWords: OwnWordsStore, engines: Pick<Engines, 'current'>): Route[] {
  async function present(userId: string) {
    const { name, model, takes } = engines.current() ?? {}
    return {
      ...(await ownWords.of(userId)),
      engine: name && model ? { name, model, takes: takes?.words ?? null } : null,
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

import { api, OwnWords } from '@voxscribe/contracts/http'
import { createRemembered, type Documents, implement, type Route, schemaOf } from '@voxscribe/service'
import { z } from 'zod'
import type { Engines } from '../engines/choice.ts'

/** `_id`: the person's id. */
const OwnWordsRecord = OwnWords.extend({ _id: z.string() })

/** Names and replacements of each person; they live here, where texts are made. */
export function createOwnWords(documents: Documents, isAlone = false) {
  const people = documents.model('own_words', schemaOf(OwnWordsRecord), { owner: '_id' })
  const remembered = createRemembered(isAlone)
  return {
    async of(userId: string): Promise<OwnWords> {
      const found = await remembered.read(userId, async () => people.findById(userId).lean())
      const { words = [], replacements = [] } = found ?? {}
      return { words, replacements }
    },
    replace: (userId: string, own: OwnWords) =>
      remembered.write(async () => people.updateOne({ _id: userId }, { $set: own }, { upsert: true })),
    /** Forgets what is in memory of a person. */
    forget: () => remembered.write(async () => {}),
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

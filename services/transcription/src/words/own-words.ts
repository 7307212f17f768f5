import { api, OwnWords } from '@voxscribe/contracts/http'
import { createRemembered, type Documents, implement, type Route, schemaOf } from '@voxscribe/service'
import { z } from 'zod'
import type { Engines } from '../engines/choice.ts'

const OwnWordsRecord = OwnWords.extend({
  /** The person's id. */
  _id: z.string(),
  /** Words that the last call with any was made without, as a model refused them. */
  refused: z.object({ model: z.string(), words: z.array(z.string()) }).optional(),
})
type Kept = OwnWords & Pick<z.infer<typeof OwnWordsRecord>, 'refused'>

/** Names and replacements of each person; they live here, where texts are made. */
export function createOwnWords(documents: Documents, isAlone = false) {
  const people = documents.model('own_words', schemaOf(OwnWordsRecord), { owner: '_id' })
  const remembered = createRemembered(isAlone)
  return {
    async of(userId: string): Promise<Kept> {
      const found = await remembered.read(userId, async () => people.findById(userId).lean())
      const { words = [], replacements = [], declined = [], refused } = found ?? {}
      return { words, replacements, declined, ...(refused && { refused }) }
    },
    replace: (userId: string, own: OwnWords) =>
      remembered.write(async () => people.updateOne({ _id: userId }, { $set: own }, { upsert: true })),
    /** Keeps which words a model has refused, where that is news: most notes write nothing. */
    async refused(
      userId: string,
      { words: own, refused }: Kept,
      model: string,
      words: string[],
    ): Promise<void> {
      const before = refused?.model === model ? refused.words : []
      if (!own.length || before.join('\n') === words.join('\n')) return
      const set = { refused: { model, words } }
      await remembered.write(async () => people.updateOne({ _id: userId }, { $set: set }))
    },
    /** Forgets what is in memory of a person. */
    forget: () => remembered.write(async () => {}),
  }
}
export type OwnWordsStore = ReturnType<typeof createOwnWords>

/** The calls of a person about their words, with what the engine in use does with these. */
export function ownWordsRoutes(ownWords: OwnWordsStore, engines: Pick<Engines, 'current'>): Route[] {
  async function present(userId: string) {
    const { refused, ...own } = await ownWords.of(userId)
    const { name, model, takes } = engines.current() ?? {}
    const known = refused?.model === model ? refused?.words : undefined
    return {
      ...own,
      engine: name && model ? { name, model, takes: takes?.words ?? null } : null,
      refused: known?.filter(word => own.words.includes(word)) ?? [],
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

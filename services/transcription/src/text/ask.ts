import { type Answered, api, type CheckedBodyOf } from '@voxscribe/contracts/http'
import {
  type ClosedAccounts,
  createOneByOne,
  implement,
  leftSignal,
  type RateLimits,
  type Route,
  refusal,
} from '@voxscribe/service'
import type { Mine } from '../note/record.ts'
import type { Notes } from '../note/store.ts'
import { languagesOf } from '../pages/history.ts'
import { askedClaims, askedWords, proved } from './claims.ts'
import type { TextModel } from './model.ts'
import { createPassages, type Found, presentPassage, type Within } from './passages.ts'
import type { TextWork } from './text-work.ts'

/** Product limit: questions of a person, as each reads many notes. */
const QUESTIONS = { points: 30, seconds: 60 }
/** Characters of passages that a model reads besides its instructions and the question. */
const CHARACTERS_MAX = 10_000
/** Passages to show if there is no answer. */
const NEAREST = 10

type Question = CheckedBodyOf<typeof api.ask>

interface Deps {
  notes: Notes
  textWork: Pick<TextWork, 'isOn' | 'counted'>
  rateLimits: RateLimits
}

/** Finds answers to a person's questions in their notes, as quotes; without a model, passages alone. Stores nothing. */
export function createAsking({ notes, textWork, rateLimits }: Deps) {
  const passages = createPassages(notes.model)
  /** One search at a time per person: each makes many reads, between which those of other people can run. */
  const inTurn = createOneByOne()
  const questions = rateLimits('ask-person', QUESTIONS, true)

  /** Leaves out notes that were deleted during the model's call. */
  async function stillThere(mine: Mine, { answer, ...rest }: Answered): Promise<Answered> {
    const ids = [...answer.flatMap(({ quotes }) => quotes), ...rest.passages].map(one => one.transcriptionId)
    const left = new Set(
      (await notes.model.find({ ...mine, _id: { $in: ids } }, { _id: 1 }).lean()).map(({ _id }) => _id),
    )
    const isThere = ({ transcriptionId }: { transcriptionId: string }) => left.has(transcriptionId)
    const claims = answer.filter(({ quotes }) => quotes.every(isThere))
    return { ...rest, answer: claims, found: claims.length > 0, passages: rest.passages.filter(isThere) }
  }

  const nearest = (found: Found[]) =>
    found.slice(0, NEAREST).map(passage => presentPassage(passage, 0, passage.text))

  return async (
    mine: Mine,
    { question, earlier = [], passagesOnly = false, ...within }: Question,
    signal: AbortSignal,
  ): Promise<Answered> => {
    const { userId } = mine
    const charactersMax = CHARACTERS_MAX - earlier.join('').length
    await questions.count(userId)
    const total = await passages.total(mine, within)
    const find = (texts: string[]) =>
      inTurn(userId, () => passages.find(mine, within as Within, texts, total, charactersMax))

    async function withModel(model: TextModel, signal: AbortSignal, left: number): Promise<Answered> {
      const languages = (await languagesOf(notes.model, userId)).map(({ _id }) => _id)
      const words = (await askedWords(model, question, earlier, languages, signal)) ?? []
      const found = await find([...words, question])
      const claimed = found.length ? await askedClaims(model, question, earlier, found, signal) : []
      const answer = proved(claimed ?? [], found)
      return {
        answer,
        found: answer.length > 0,
        passages: answer.length ? [] : nearest(found),
        searched: words,
        left: Number.isFinite(left) ? left : null,
      }
    }

    const without = { answer: [], found: false, searched: [], left: null }
    if (!total) return { ...without, passages: [] }
    if (passagesOnly || !textWork.isOn()) return { ...without, passages: nearest(await find([question])) }
    return stillThere(mine, await textWork.counted(userId, withModel, signal))
  }
}
export type Ask = ReturnType<typeof createAsking>

export const askRoutes = (ask: Ask, closed: Pick<ClosedAccounts, 'refuses'>): Route[] => [
  implement(api.ask, async ({ userId, claims, body, request }) => {
    const data = await ask({ userId }, body, leftSignal(request.res!))
    if (await closed.refuses(claims)) throw refusal('unauthorized')
    return { data }
  }),
]

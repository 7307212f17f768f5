import { FEW_LEFT, TEXTS_A_DAY } from '@voxscribe/contracts/limits'
import { type Documents, HoldLost, invalidField, Problem, type RateLimits, refusal } from '@voxscribe/service'
import type { NoteRecord } from '../note/record.ts'
import type { Notes } from '../note/store.ts'
import type { TextModel, TextModels } from './model.ts'

/** Product limit: a person's texts, automatic or requested by page, API or chat. */
const PER_PERSON = { points: TEXTS_A_DAY, seconds: 86_400 }
/** Characters; an hour of fast speech has a third of it. */
const TEXT_MAX = 200_000
/** Error codes of calls that are not counted, as the provider did not accept them. */
const NOT_TAKEN = ['text_model_busy', 'model_budget_spent']
/** A long translation takes many calls to the model. */
const LONGEST_MS = 600_000

interface Deps {
  documents: Pick<Documents, 'hold'>
  notes: Notes
  model: TextModels | undefined
  rateLimits: RateLimits
  leaseMs: number
  changed(note: NoteRecord): void
}

type Fields = Partial<NoteRecord>
/** Returns the fields to write. `progress` sets those to write on failure, so that a retry needn't pay them again. */
type Make = (
  note: NoteRecord,
  model: TextModel,
  signal: AbortSignal,
  progress: (set: Fields) => void,
) => Promise<Fields>

/** Has the model make one text of a note at a time, over all processes; a kept one is free. Throws 409 and 429. */
export function createTextWork({ documents, notes, model, rateLimits, leaseMs, changed }: Deps) {
  const hold = documents.hold(notes.model, 'writing', { leaseMs })
  const perPerson = rateLimits('text-model-person', PER_PERSON, true)

  async function write(note: NoteRecord, isKept: (note: NoteRecord) => boolean, make: Make) {
    if (!model) throw refusal('text_model_off')
    if (note.status === 'processing') throw refusal('already_processing')
    if (!note.text) throw refusal('no_text')
    if (isKept(note)) return note
    if (note.text.length > TEXT_MAX) throw invalidField('', 'transcript_too_long')
    const held = await hold.take(note._id, { userId: note.userId, status: 'completed', deletedAt: null })
    if (!held) throw refusal('text_under_way')
    let set: Fields = {}
    try {
      const current = held.claimed
      const progress = (done: Fields) => {
        set = done
      }
      if (!isKept(current))
        set = await counted(
          current.userId,
          (model, signal) => make(current, model, signal, progress),
          held.callSignal,
        )
      // The lease is gone, as when the note has a new text.
      if (!(await held.release(set))) throw new HoldLost()
      const done = { ...current, ...set }
      changed(done)
      return done
    } catch (error) {
      await held.release(set)
      // Another process took the note over, or it was deleted, or transcribed again.
      throw error instanceof HoldLost ? refusal('text_under_way') : error
    }
  }

  /** Has the model work for a person, up to 60 times a day; `left`: how many remain after this. Throws 409 and 429. */
  async function counted<T>(
    userId: string,
    work: (model: TextModel, signal: AbortSignal, left: number) => Promise<T>,
    signal: AbortSignal,
  ): Promise<T> {
    if (!model) throw refusal('text_model_off')
    const { left } = await perPerson.count(userId)
    const limited = AbortSignal.any([signal, AbortSignal.timeout(LONGEST_MS)])
    return work(model.forUser(userId), limited, left).catch(async error => {
      if (error instanceof Problem && NOT_TAKEN.includes(error.code)) await perPerson.giveBack(userId)
      throw error
    })
  }

  return {
    isOn: () => model !== undefined,
    write,
    counted,
    /** Makes an automatic text; the last few of the day are reserved for texts that the person asks for. */
    async automatically<T>({ userId }: NoteRecord, make: () => Promise<T>): Promise<T> {
      await perPerson.check(userId, FEW_LEFT)
      return make()
    },
    close: hold.close,
  }
}
export type TextWork = ReturnType<typeof createTextWork>

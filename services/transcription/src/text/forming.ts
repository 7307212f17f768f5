import type { Form } from '@voxscribe/contracts/http'
import type { NoteRecord } from '../note/record.ts'
import type { Notes } from '../note/store.ts'
import type { StepWork } from '../queue/loop.ts'
import { type FormTexts, isTried, textToMake, withText } from './form-texts.ts'
import type { Forms } from './forms.ts'
import { laterIfBusy } from './gists.ts'
import type { TextWork } from './text-work.ts'

/** Notes at once per process; few, as texts that people wait for come first. */
const AT_ONCE = 1

interface Deps {
  notes: Pick<Notes, 'model' | 'byId' | 'summarised'>
  forms: Pick<Forms, 'fitting'>
  formTexts: FormTexts
  textWork: Pick<TextWork, 'isOn' | 'automatically'>
  changed(note: NoteRecord): void
  now(): Date
}

/** Makes the automatic texts in forms. The note is complete: a failure only leaves out a text. */
export function createForming({ notes, forms, formTexts, textWork, changed, now }: Deps): StepWork {
  const missing = async (note: NoteRecord) => (await forms.fitting(note)).filter(form => !isTried(note, form))

  async function mark(note: NoteRecord, wanted: Form[], status: 'working' | 'failed'): Promise<NoteRecord> {
    const current = await notes.byId(note._id)
    if (!current || !wanted.length) return note
    const { _id, attempt } = current
    const texts = wanted.reduce(
      (texts, form) => withText(texts, textToMake(current, form, status, now())),
      current.texts,
    )
    await notes.model.updateOne({ _id, attempt, status: 'completed', deletedAt: null }, { $set: { texts } })
    changed({ ...current, texts })
    return { ...current, texts }
  }

  return {
    places: textWork.isOn() ? AT_ONCE : 0,
    secondsOf: ({ durationSeconds }) => durationSeconds ?? 0,
    giveUp: async note => notes.summarised(await mark(note, await missing(note), 'failed')),
    async work(note) {
      const wanted = await missing(note)
      let current = await mark(note, wanted, 'working')
      for (const form of wanted) {
        const make = () => formTexts(current, form, note.uiLanguage ?? 'en')
        current = await textWork.automatically(note, make).catch(error => {
          laterIfBusy(error, note, now())
          return mark(current, [form], 'failed')
        })
      }
      await notes.summarised(current)
    },
  }
}

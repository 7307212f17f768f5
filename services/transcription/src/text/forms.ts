import { randomUUID } from 'node:crypto'
import { api, type CheckedBodyOf, Form } from '@voxscribe/contracts/http'
import { FORMS_MAX } from '@voxscribe/contracts/limits'
import { folded } from '@voxscribe/contracts/search-words'
import { tagKey } from '@voxscribe/contracts/tags'
import type { I18n } from '@voxscribe/languages'
import { i18nFor } from '@voxscribe/languages/node'
import { type Documents, implement, insertOnce, type Route, refusal, schemaOf } from '@voxscribe/service'
import { z } from 'zod'
import type { NoteRecord } from '../note/record.ts'

/** `_id`: the person's id; `version` counts the changes. */
const FormsRecord = z.object({ _id: z.string(), forms: z.array(Form), version: z.int() })

export function createForms(documents: Documents) {
  const people = documents.model('forms', schemaOf(FormsRecord), { owner: '_id' })
  const forUser = async (userId: string): Promise<Form[]> =>
    (await people.findById(userId).lean())?.forms ?? []

  return {
    forUser,
    /** Returns the forms whose text is made automatically from this note. */
    fitting: async (note: NoteRecord) => (await forUser(note.userId)).filter(form => fits(form, note)),

    /** Applies `change` to a person's forms; on a conflict, reads them again and retries. */
    async change(userId: string, change: (forms: Form[]) => Form[]): Promise<void> {
      for (;;) {
        const known = await people.findById(userId).lean()
        const { version = 0, forms = [] } = known ?? {}
        const set = { forms: change(forms), version: version + 1 }
        const isDone = known
          ? (await people.updateOne({ _id: userId, version }, { $set: set })).matchedCount > 0
          : await insertOnce(people, { _id: userId, ...set })
        if (isDone) return
      }
    },
  }
}
export type Forms = ReturnType<typeof createForms>

/** Whether a form's text is made automatically from a note: all conditions of the form hold. */
function fits({ auto }: Form, { tags = [], durationSeconds, source }: NoteRecord): boolean {
  if (!auto) return false
  const has = new Set(tags.map(tagKey))
  return (
    (!auto.tags || auto.tags.some(tag => has.has(tagKey(tag)))) &&
    (auto.minSeconds === undefined || (durationSeconds ?? 0) >= auto.minSeconds) &&
    (!auto.sources || auto.sources.includes(source.channel))
  )
}

/** Reduces a name to what people type: no signs, unless it has nothing else. */
const typed = (name: string) =>
  folded(name)
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim() || name

export const formCalled = (forms: Form[], name: string): Form | undefined =>
  forms.find(form => typed(form.name) === typed(name))

/** Five forms to begin with, in the reader's language. */
const examplesIn = (i18n: I18n) => [
  {
    name: i18n.t('Minutes of a meeting'),
    instruction: i18n.t(
      'Write minutes: who took part, the topics with what was said about each, the decisions, and who does what by when. Short sentences, a line for each point.',
    ),
  },
  {
    name: i18n.t('Message to send on'),
    instruction: i18n.t(
      'Write a short, friendly message with what matters, ready to send to somebody else. No greeting, no subject, at most five sentences.',
    ),
  },
  {
    name: i18n.t('Shopping list'),
    instruction: i18n.t(
      'List everything that is to be bought, a line for each, with amounts where they are said.',
    ),
  },
  {
    name: i18n.t('Diary'),
    instruction: i18n.t(
      'Write a diary entry in the first person, in the words of the person who speaks, with what happened and how it felt.',
    ),
  },
  {
    name: i18n.t('Letter'),
    instruction: i18n.t(
      'Write a polite letter with a salutation, paragraphs and a closing. Leave out names and dates that are not said.',
    ),
  },
]

function withForm(forms: Form[], form: Form): Form[] {
  const others = forms.filter(({ id }) => id !== form.id)
  if (formCalled(others, form.name)) throw refusal('form_taken')
  if (others.length >= FORMS_MAX) throw refusal('too_many_forms')
  return forms.some(({ id }) => id === form.id)
    ? forms.map(each => (each.id === form.id ? form : each))
    : [...forms, form]
}

export const formRoutes = (forms: Forms): Route[] => [
  implement(api.forms, async ({ userId, uiLanguage }) => ({
    data: { forms: await forms.forUser(userId), examples: examplesIn(i18nFor(uiLanguage)) },
  })),
  implement(api.createForm, async ({ userId, body }) => {
    const form = { id: randomUUID(), ...body, auto: body.auto ?? null }
    await forms.change(userId, known => withForm(known, form))
    return { data: { form }, message: 'Saved' }
  }),
  implement(api.changeForm, async ({ userId, params: { id }, body }) => {
    let form: Form | undefined
    await forms.change(userId, known => {
      const before = known.find(each => each.id === id)
      if (!before) throw refusal('form_unknown')
      form = changed(before, body)
      return withForm(known, form)
    })
    return { data: { form: form! }, message: 'Saved' }
  }),
  implement(api.deleteForm, async ({ userId, params: { id } }) => {
    await forms.change(userId, known => {
      const left = known.filter(each => each.id !== id)
      if (left.length === known.length) throw refusal('form_unknown')
      return left
    })
    return { data: null, message: 'Deleted' }
  }),
]

const changed = (form: Form, { name, instruction, auto }: CheckedBodyOf<typeof api.changeForm>): Form => ({
  id: form.id,
  name: name ?? form.name,
  instruction: instruction ?? form.instruction,
  auto: auto === undefined ? form.auto : auto,
})

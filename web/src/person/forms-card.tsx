import { useQuery, useQueryClient } from '@tanstack/react-query'
import { NOTE_SOURCES } from '@voxscribe/contracts/channels'
import { FormBody, type Form as OwnForm } from '@voxscribe/contracts/http'
import { FORM_NAME_MAX, FORMS_MAX, INSTRUCTION_MAX } from '@voxscribe/contracts/limits'
import { useState } from 'react'
import { z } from 'zod'
import { i18n } from '../language/i18n.ts'
import { sourceLabel } from '../language/names.ts'
import { formsQuery } from '../note/queries.ts'
import { call } from '../session/client.ts'
import { AskButton } from '../ui/action/ask-button.tsx'
import { Button } from '../ui/action/button.tsx'
import { LoadError } from '../ui/feedback/loading.tsx'
import { useAction } from '../ui/feedback/use-action.ts'
import { Checkbox } from '../ui/form/checkbox.tsx'
import { Field, TextArea } from '../ui/form/field.tsx'
import { Form, SubmitButton, useCallForm } from '../ui/form/form.tsx'
import { TitledCard } from '../ui/layout/card.tsx'

type Draft = Omit<OwnForm, 'id'> & { id?: string }
const EMPTY: Draft = { name: '', instruction: '', auto: null }

/** Lets the person add, change and delete forms of texts. */
export function FormsCard() {
  const found = useQuery(formsQuery)
  const [draft, setDraft] = useState<Draft>()
  const { forms = [], examples = [] } = found.data ?? {}
  const unused = examples.filter(({ name }) => forms.every(form => form.name !== name))
  return (
    <TitledCard title={i18n.t('Your forms')} large>
      <p className="mt-2 text-soft">
        {i18n.t(
          'Say what a text from your notes should be like. It is written on a note’s page, or by itself for new notes.',
        )}
      </p>
      <LoadError of={[found]} fallback={i18n.t('Failed to load your forms')} className="mt-4" />
      {forms.length > 0 && (
        <ul className="mt-4 divide-y divide-line border-line border-y">
          {forms.map(form => (
            <FormLine key={form.id} form={form} onChange={() => setDraft(form)} />
          ))}
        </ul>
      )}
      {found.data && !draft && forms.length < FORMS_MAX && (
        <div className="mt-4 flex flex-wrap gap-2">
          <Button size="small" onClick={() => setDraft(EMPTY)}>
            {i18n.t('New form')}
          </Button>
          {unused.map(example => (
            <Button
              key={example.name}
              size="small"
              variant="secondary"
              onClick={() => setDraft({ ...example, auto: null })}
            >
              {example.name}
            </Button>
          ))}
        </div>
      )}
      {draft && <Editor key={draft.id ?? draft.name} draft={draft} onClose={() => setDraft(undefined)} />}
    </TitledCard>
  )
}

function FormLine({ form, onChange }: { form: OwnForm; onChange(): void }) {
  const { id, name, instruction, auto } = form
  const removing = useAction({
    send: () => call('deleteForm', { params: { id } }),
    failed: i18n.t('That didn’t work'),
    reload: formsQuery,
  })
  return (
    <li className="flex flex-wrap items-center gap-2 py-3">
      <div className="wrap-anywhere min-w-0 flex-1 basis-60">
        <bdi className="font-semibold">{name}</bdi>
        {auto && <span className="text-soft text-sm"> · {i18n.t('by itself')}</span>}
        <p dir="auto" className="line-clamp-2 text-soft text-sm">
          {instruction}
        </p>
      </div>
      <Button variant="quiet" size="small" onClick={onChange}>
        {i18n.t('Change')}
      </Button>
      <AskButton
        label={i18n.t('Delete')}
        title={i18n.t('Delete “{name}”?', { name })}
        confirmLabel={i18n.t('Delete')}
        onConfirm={removing.run}
      >
        {i18n.t('Texts that were written in it stay with their notes.')}
      </AskButton>
    </li>
  )
}

const Values = FormBody.omit({ auto: true }).extend({
  isAuto: z.boolean(),
  tags: z.string(),
  minSeconds: z.string(),
  sources: z.array(z.enum(NOTE_SOURCES)),
})

/** Returns the notes that a form applies to, in the shape of the API. */
function autoOf({ isAuto, tags, minSeconds, sources }: z.output<typeof Values>) {
  if (!isAuto) return null
  const named = tags.split(/[\s,]+/).filter(Boolean)
  return {
    ...(named.length && { tags: named }),
    ...(minSeconds && { minSeconds: Number(minSeconds) }),
    ...(sources.length && { sources }),
  }
}

function Editor({ draft, onClose }: { draft: Draft; onClose(): void }) {
  const queries = useQueryClient()
  const { id, name, instruction, auto } = draft
  const saving = useCallForm({
    schema: Values,
    defaultValues: {
      ...{ name, instruction, isAuto: auto !== null },
      tags: auto?.tags?.map(tag => `#${tag}`).join(' ') ?? '',
      minSeconds: auto?.minSeconds?.toString() ?? '',
      sources: auto?.sources ?? [],
    },
    send: values => {
      const body = { name: values.name, instruction: values.instruction, auto: autoOf(values) }
      return id ? call('changeForm', { params: { id }, body }) : call('createForm', { body })
    },
    async onSuccess() {
      await queries.invalidateQueries(formsQuery)
      onClose()
    },
  })
  const { field, form } = saving
  return (
    <Form of={saving} fallback={i18n.t('The form couldn’t be saved')} className="mt-6">
      <Field label={i18n.t('Name')} maxLength={FORM_NAME_MAX} dir="auto" {...field('name')} />
      <TextArea
        label={i18n.t('What the text should be like')}
        maxLength={INSTRUCTION_MAX}
        dir="auto"
        {...field('instruction')}
      />
      <Checkbox {...form.register('isAuto')}>{i18n.t('Write it by itself for new notes')}</Checkbox>
      {form.watch('isAuto') && (
        <>
          <p className="text-soft text-sm">
            {i18n.t(
              'These texts count toward your daily limit. The last few of a day are kept for what you ask for yourself.',
            )}
          </p>
          <Field
            label={i18n.t('Only with one of these tags')}
            autoComplete="off"
            dir="auto"
            {...field('tags')}
          />
          <Field
            label={i18n.t('Only from so many seconds on')}
            type="number"
            min={0}
            max={86_400}
            {...field('minSeconds')}
          />
          <fieldset>
            <legend className="font-semibold">{i18n.t('Only from')}</legend>
            <div className="flex flex-wrap gap-x-4">
              {NOTE_SOURCES.map(source => (
                <Checkbox key={source} value={source} {...form.register('sources')}>
                  {sourceLabel(source)}
                </Checkbox>
              ))}
            </div>
          </fieldset>
        </>
      )}
      <div className="flex flex-wrap gap-3">
        <SubmitButton busyLabel={i18n.t('Saving…')}>{i18n.t('Save')}</SubmitButton>
        <Button variant="quiet" onClick={onClose}>
          {i18n.t('Cancel|form')}
        </Button>
      </div>
    </Form>
  )
}

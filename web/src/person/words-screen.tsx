import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type api, type DataOf, OwnWords } from '@voxscribe/contracts/http'
import { OWN_WORDS_MAX } from '@voxscribe/contracts/limits'
import { useFieldArray } from 'react-hook-form'
import { z } from 'zod'
import { useConfig } from '../api/config.ts'
import { i18n } from '../language/i18n.ts'
import { engineLabel } from '../language/names.ts'
import { call, queryOf } from '../session/client.ts'
import { Button } from '../ui/action/button.tsx'
import { dropSecondClick } from '../ui/action/second-click.ts'
import { LoadError, Skeletons } from '../ui/feedback/loading.tsx'
import { toast } from '../ui/feedback/toast.ts'
import { Field, TextArea } from '../ui/form/field.tsx'
import { Form, SubmitButton, useCallForm } from '../ui/form/form.tsx'
import { TitledCard } from '../ui/layout/card.tsx'
import { Page } from '../ui/layout/page.tsx'
import { FormsCard } from './forms-card.tsx'

const wordsQuery = queryOf('words', data => data)

export default function WordsScreen() {
  const config = useConfig()
  const own = useQuery({
    ...wordsQuery,
    // The form starts with the current words, and a refetch must not replace what is being typed.
    gcTime: 0,
    refetchOnWindowFocus: false,
  })
  return (
    <Page
      title={i18n.t('Your words')}
      intro={i18n.t('Names and terms that are often misheard, and what to write instead.')}
    >
      <LoadError of={[own]} fallback={i18n.t('Failed to load your words')} />
      {own.isPending && <Skeletons className="mt-8 gap-4" heights={['h-56', 'h-40']} />}
      {own.data && <WordsForm {...own.data} />}
      {/* The form waits, because an entry that loads above it would push it down. */}
      {!own.isPending && config.data?.textModel && (
        <div className="mt-5">
          <FormsCard />
        </div>
      )}
    </Page>
  )
}

const linesOf = (text: string) => [...new Set(text.split('\n').map(line => line.trim()))].filter(Boolean)

/** One word per line; the first invalid word's error becomes the field's. */
const WordsText = z.string().transform((text, context): string[] => {
  const { data, error } = OwnWords.shape.words.safeParse(linesOf(text))
  if (error) context.addIssue({ code: 'custom', message: error.issues[0]?.message })
  return data ?? z.NEVER
})
const Values = OwnWords.extend({ words: WordsText })

type InUse = DataOf<typeof api.words>

/** Says what the engine in use does with the words. */
function engineHint({ engine }: Pick<InUse, 'engine'>): string {
  if (!engine) return i18n.t('Speech engines that take such a list listen for these words; others ignore it.')
  const named = { engine: engineLabel(engine) }
  if (engine.takes === 'keywords')
    return i18n.t('Speech engine in use: {engine}. It listens for each of these words.', named)
  return engine.takes === 'prompt'
    ? i18n.t(
        'Speech engine in use: {engine}. It gets these words as a hint, and may heed only the end of a long list.',
        named,
      )
    : i18n.t(
        'Speech engine in use: {engine}. It takes no such list, so these words change nothing for now. Replacements always count.',
        named,
      )
}

function WordsForm({ words, replacements, engine }: InUse) {
  const queries = useQueryClient()
  const saving = useCallForm({
    schema: Values,
    defaultValues: { words: words.join('\n'), replacements },
    send: body => call('replaceWords', { body }),
    onSuccess({ data }) {
      queries.setQueryData(wordsQuery.queryKey, data)
      toast(i18n.t('Your words are saved. They count for texts from now on.'), { type: 'success' })
    },
  })
  const { form, field } = saving
  const rows = useFieldArray({ control: form.control, name: 'replacements' })
  return (
    <Form of={saving} fallback={i18n.t('Your words couldn’t be saved')} className="mt-8">
      <TitledCard title={i18n.t('Names and terms')} large className="*:mt-4 *:first:mt-0">
        <TextArea
          label={i18n.t('One a line')}
          hint={engineHint({ engine })}
          dir="auto"
          autoComplete="off"
          {...field('words')}
        />
      </TitledCard>
      <TitledCard title={i18n.t('Replacements')} large>
        <p className="mt-2 text-soft">
          {i18n.t(
            'Whole words, exactly as they are written. On a note’s page “Restore original” brings the engine’s text back.',
          )}
        </p>
        <ul onClickCapture={dropSecondClick} className="mt-4 grid gap-4">
          {rows.fields.map(({ id }, index) => (
            <li key={id} className="grid items-start gap-3 sm:grid-cols-[1fr_1fr_auto]">
              <Field
                label={i18n.t('Heard')}
                dir="auto"
                autoComplete="off"
                {...field(`replacements.${index}.heard`)}
              />
              <Field
                label={i18n.t('Write instead')}
                dir="auto"
                autoComplete="off"
                {...field(`replacements.${index}.write`)}
              />
              <Button
                variant="quiet"
                className="justify-self-start sm:mt-7.5"
                onClick={() => rows.remove(index)}
              >
                {i18n.t('Remove')}
              </Button>
            </li>
          ))}
        </ul>
        <Button
          variant="secondary"
          size="small"
          className="mt-4"
          disabled={rows.fields.length >= OWN_WORDS_MAX}
          onClick={() => rows.append({ heard: '', write: '' })}
        >
          {i18n.t('Add a replacement')}
        </Button>
      </TitledCard>
      <SubmitButton busyLabel={i18n.t('Saving…')}>{i18n.t('Save')}</SubmitButton>
    </Form>
  )
}

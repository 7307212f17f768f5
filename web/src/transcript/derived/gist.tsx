import { useQuery } from '@tanstack/react-query'
import type { FormText, Gist as MadeGist } from '@voxscribe/contracts/http'
import { useState } from 'react'
import { useConfig } from '../../api/config.ts'
import { i18n } from '../../language/i18n.ts'
import { languageTag } from '../../note/note-row.tsx'
import { formsQuery, NOTES } from '../../note/queries.ts'
import { Todo } from '../../note/todo.tsx'
import { call } from '../../session/client.ts'
import { Button, TextLink } from '../../ui/action/button.tsx'
import { CopyButton } from '../../ui/feedback/copy-button.tsx'
import { LoadError } from '../../ui/feedback/loading.tsx'
import { useAction } from '../../ui/feedback/use-action.ts'
import { Row } from '../../ui/layout/details.tsx'
import type { OpenNote } from '../use-open-note.ts'
import { calendarOf } from './calendar.ts'

/** The summary and to-dos, or the button that makes them; renders nothing without a text model. */
export function Gist({ document, hasText, isPlain }: OpenNote) {
  const { id, gist, texts, sample } = document
  const [isOpen, setOpen] = useState(false)
  const hasModel = useTextModel()
  const making = useMaking(id)
  if (!(hasModel || sample) || !hasText || (isPlain && !gist && !texts.length)) return null
  const isOurs = gist && !gist.stale && i18n.locale.startsWith(gist.language)
  return (
    <Row name={i18n.t('Summary')} value={gist?.lines[0]} open={sample} onOpen={() => setOpen(true)}>
      {gist && <Lines id={id} isKept={!sample} {...gist} />}
      <div className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-1 text-soft text-xs first:mt-0">
        {gist && i18n.t('Made by a machine. It may contain mistakes.')}
        {gist?.stale && <strong className="text-warn">{i18n.t('The text has changed since.')}</strong>}
        {gist?.tasks.some(({ due }) => due) && <CalendarLink id={id} {...gist} />}
        {!isOurs && !sample && (
          <Button
            size="small"
            variant={gist ? 'quiet' : 'secondary'}
            busy={making.isPending}
            busyLabel={i18n.t('Summarizing…')}
            onClick={() => making.run()}
          >
            {gist ? i18n.t('Summarize again') : i18n.t('Summarize')}
          </Button>
        )}
      </div>
      {isOpen && !sample && <OwnForms id={id} texts={texts} />}
    </Row>
  )
}

const Lines = ({ id, isKept, lines, tasks, language }: MadeGist & { id: string; isKept: boolean }) => (
  <div lang={languageTag(language)} className="wrap-anywhere">
    {lines.map(line => (
      <p key={line} dir="auto" className="mt-1 first:mt-0">
        {line}
      </p>
    ))}
    {tasks.length > 0 && (
      <>
        <h2 className="mt-3 text-base" lang={i18n.locale}>
          {i18n.t('To do')}
        </h2>
        <ul>
          {tasks.map((task, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: its place is its name
            <li key={place}>
              <Todo transcriptionId={id} n={place + 1} isKept={isKept} {...task} />
            </li>
          ))}
        </ul>
      </>
    )}
  </div>
)

const CalendarLink = ({ id, tasks, at }: MadeGist & { id: string }) => (
  <a
    href={`data:text/calendar;charset=utf-8,${encodeURIComponent(calendarOf(id, tasks, at))}`}
    download="tasks.ics"
    className="-mx-3 inline-flex min-h-press items-center rounded-control px-3 font-semibold text-accent hover:bg-wash"
  >
    {i18n.t('Add to calendar')}
  </a>
)

/** The note's texts in the person's own forms, and buttons that make the missing ones. */
function OwnForms({ id, texts }: { id: string; texts: FormText[] }) {
  const forms = useQuery(formsQuery)
  const isThere = (formId: string) =>
    texts.some(text => text.formId === formId && text.status !== 'failed' && !text.stale)
  const left = forms.data?.forms.filter(form => !isThere(form.id)) ?? []
  return (
    <section aria-label={i18n.t('In your forms')} className="mt-3 grid gap-3 border-line border-t pt-3">
      {texts.map(text => (
        <Made key={text.formId} {...text} />
      ))}
      <LoadError of={[forms]} fallback={i18n.t('Failed to load your forms')} />
      <div className="flex flex-wrap items-center gap-2">
        {left.map(form => (
          <Make key={form.id} id={id} formId={form.id} name={form.name} />
        ))}
        {forms.data && <TextLink to="/words">{i18n.t('Your forms')}</TextLink>}
      </div>
    </section>
  )
}

const Made = ({ name, status, text, stale }: FormText) => (
  <article>
    <h3 className="wrap-anywhere text-base" dir="auto">
      {name}
    </h3>
    {status === 'working' && <p className="text-soft">{i18n.t('Being written…')}</p>}
    {status === 'failed' && <p className="text-warn">{i18n.t('This text couldn’t be written.')}</p>}
    {status === 'done' && (
      <>
        <p dir="auto" className="wrap-anywhere mt-1 whitespace-pre-line">
          {text}
        </p>
        <div className="mt-1 flex flex-wrap items-center gap-3 text-soft text-xs">
          <CopyButton text={text} label={i18n.t('Copy')} variant="quiet" />
          {i18n.t('Made by a machine. It may contain mistakes.')}
          {stale && <strong className="text-warn">{i18n.t('The text has changed since.')}</strong>}
        </div>
      </>
    )}
  </article>
)

function Make({ id, formId, name }: { id: string; formId: string; name: string }) {
  const making = useAction({
    send: () => call('makeText', { params: { id }, body: { formId } }),
    failed: i18n.t('That didn’t work'),
    reload: NOTES,
  })
  return (
    <Button
      size="small"
      variant="secondary"
      busy={making.isPending}
      busyLabel={i18n.t('Being written…')}
      onClick={() => making.run()}
    >
      <bdi>{name}</bdi>
    </Button>
  )
}

export const useTextModel = (): boolean => useConfig().data?.textModel ?? false

/** Asks the text model for the gist of a note, or for its translation into a language. */
export const useMaking = (id: string) =>
  useAction({
    send: (language?: string) =>
      language
        ? call('translate', { params: { id }, body: { language } })
        : call('makeGist', { params: { id } }),
    failed: i18n.t('That didn’t work'),
    reload: NOTES,
  })

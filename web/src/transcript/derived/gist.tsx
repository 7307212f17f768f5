import type { Gist as MadeGist } from '@voxscribe/contracts/http'
import { useState } from 'react'
import { i18n } from '../../language/i18n.ts'
import { languageTag } from '../../note/note-row.tsx'
import { Todo } from '../../note/todo.tsx'
import { Button } from '../../ui/action/button.tsx'
import { Row } from '../../ui/layout/details.tsx'
import type { OpenNote } from '../use-open-note.ts'
import { calendarOf } from './calendar.ts'
import { OwnForms } from './own-forms.tsx'
import { useMaking, useTextModel } from './use-making.ts'

/** The gist and to-dos, or the button that has them made. Nothing where there is no text model. */
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

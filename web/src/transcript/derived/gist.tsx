import type { Gist as MadeGist } from '@voxscribe/contracts/http'
import { dateOf } from '@voxscribe/contracts/wording'
import { useState } from 'react'
import { i18n } from '../../language/i18n.ts'
import { languageTag } from '../../note/note-row.tsx'
import { Button } from '../../ui/action/button.tsx'
import { classes } from '../../ui/classes.ts'
import { Card } from '../../ui/layout/card.tsx'
import { useWide } from '../../ui/layout/use-wide.ts'
import type { OpenNote } from '../use-open-note.ts'
import { calendarOf } from './calendar.ts'
import { useMaking, useTextModel } from './use-making.ts'

/** The gist and to-dos above the text, or the button that has them made. Nothing where there is no text model. */
export function Gist({ document, hasText }: OpenNote) {
  const { id, gist } = document
  const hasModel = useTextModel()
  const making = useMaking(id)
  const isWide = useWide()
  const [isOpen, setOpen] = useState(false)
  if (!hasModel || !hasText) return null
  const isOurs = gist && !gist.stale && i18n.locale.startsWith(gist.language)
  const make = !isOurs && (
    <Button
      size="small"
      variant={gist ? 'quiet' : 'secondary'}
      busy={making.isPending}
      busyLabel={i18n.t('Summarizing…')}
      onClick={() => making.run()}
    >
      {gist ? i18n.t('Summarize again') : i18n.t('Summarize')}
    </Button>
  )
  if (!gist) return <p className="mt-2 lg:mt-0 lg:mb-4">{make}</p>
  const isShort = !isWide && !isOpen
  return (
    <Card
      aria-label={i18n.t('Summary')}
      className={classes(
        'text-sm max-lg:mt-2 lg:mb-5 lg:p-5',
        isShort ? 'max-lg:flex max-lg:px-3 max-lg:py-1' : 'max-lg:p-4',
      )}
    >
      <Lines {...gist} isShort={isShort} />
      {!isWide && (
        <Button size="small" variant="quiet" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? i18n.t('less') : i18n.t('more')}
        </Button>
      )}
      <div
        className={classes(
          'mt-3 flex flex-wrap items-center gap-x-3 gap-y-1 text-soft text-xs',
          isShort && 'hidden',
        )}
      >
        {i18n.t('Made by a machine. It may contain mistakes.')}
        {gist.stale && <strong className="text-warn">{i18n.t('The text has changed since.')}</strong>}
        {gist.tasks.some(({ due }) => due) && <CalendarLink id={id} {...gist} />}
        {make}
      </div>
    </Card>
  )
}

/** `isShort`: the first line, as far as it has room. */
const Lines = ({ lines, tasks, language, isShort }: MadeGist & { isShort: boolean }) => (
  <div lang={languageTag(language)} className="wrap-anywhere min-w-0 flex-1">
    {lines.slice(0, isShort ? 1 : undefined).map(line => (
      <p
        key={line}
        dir="auto"
        className={classes('mt-1 first:mt-0', isShort && 'print:whitespace-normal truncate leading-9')}
      >
        {line}
      </p>
    ))}
    {!isShort && tasks.length > 0 && (
      <>
        <h2 className="mt-3 text-base" lang={i18n.locale}>
          {i18n.t('To do')}
        </h2>
        {/* The list as a whole: its bullets stand on the side of its padding. */}
        <ul dir="auto" className="mt-1 list-disc ps-5">
          {tasks.map(({ text, due }) => (
            <li key={`${due} ${text}`}>
              {text}
              {due && (
                <>
                  {' '}
                  <time dateTime={due} lang={i18n.locale} className="text-soft">
                    <bdi>{dateOf(i18n, due)}</bdi>
                  </time>
                </>
              )}
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

import type { ReactNode } from 'react'
import { i18n } from '../../language/i18n.ts'
import { classes } from '../classes.ts'
import { Chevron } from '../icon.tsx'

interface RowProps {
  name: string
  /** A short form of the content, shown on the line while the row is closed. */
  value?: ReactNode
  open?: boolean
  onOpen?(): void
  className?: string
  children: ReactNode
}

/** A line with a name and a short value, which a press expands. */
export const Row = ({ name, value, open, onOpen, className, children }: RowProps) => (
  <details
    open={open}
    onToggle={event => event.currentTarget.open && onOpen?.()}
    className={classes('print:hidden border-line border-b text-sm', className)}
  >
    <summary className="flex min-h-11 list-none items-center gap-3 [&::-webkit-details-marker]:hidden">
      <span className="font-semibold">{name}</span>
      <span className="flex min-w-0 flex-1 justify-end text-soft [[open]>summary>&]:invisible">
        <span dir="auto" className="truncate">
          {value}
        </span>
      </span>
      <Chevron className="transition-transform [[open]>summary>&]:rotate-180" />
    </summary>
    <div className="pb-3">{children}</div>
  </details>
)

/** The line that opens a `details` element. */
export const Summary = ({ className, children }: { className?: string; children: ReactNode }) => (
  <summary
    className={classes(
      'flex min-h-11 list-none items-center gap-2 font-semibold [&::-webkit-details-marker]:hidden',
      className,
    )}
  >
    {children}
    <Chevron className="transition-transform [[open]>summary>&]:rotate-180" />
  </summary>
)

/** Questions and answers; an answer is undefined while it is loading. */
export const Questions = ({ questions }: { questions: Record<string, string | undefined> }) => (
  <section>
    <h2 className="text-3xl">{i18n.t('Frequently asked questions')}</h2>
    <div className="mt-6 border-line border-t">
      {Object.entries(questions).map(([question, answer]) => (
        <details key={question} className="border-line border-b">
          <Summary className="justify-between py-4 text-lg hover:text-accent">{question}</Summary>
          <p className="max-w-prose pb-5 text-soft">{answer ?? i18n.t('Loading...')}</p>
        </details>
      ))}
    </div>
  </section>
)

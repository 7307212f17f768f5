import type { ReactNode } from 'react'
import { classes } from '../ui/classes.ts'
import { PageTitle } from '../ui/page-title.tsx'

const LOOKS = {
  good: { colours: 'bg-good-wash text-good', shape: 'M7 12.5l3.500 3.500L17 8.500' },
  bad: { colours: 'bg-bad-wash text-bad', shape: 'M8 8l8 8M16 8l-8 8' },
  neutral: { colours: 'bg-wash text-accent', shape: 'M7 12h10' },
}

interface ResultPageProps {
  tone: keyof typeof LOOKS
  title: string
  children: ReactNode
  /** Links to go on from here. */
  links: ReactNode
}

/** How a payment ended: a sign, the outcome, the next steps. */
export function ResultPage({ tone, title, children, links }: ResultPageProps) {
  return (
    <div className="page max-w-2xl py-14 sm:py-20">
      <div className="rounded-card border border-line bg-surface p-6 shadow-sheet sm:p-10">
        <div className={classes('mb-6 grid size-14 place-items-center rounded-full', LOOKS[tone].colours)}>
          <svg
            viewBox="0 0 24 24"
            className="size-8"
            fill="none"
            stroke="currentColor"
            strokeWidth="2.4"
            strokeLinecap="round"
            strokeLinejoin="round"
            aria-hidden="true"
          >
            <path d={LOOKS[tone].shape} />
          </svg>
        </div>
        <PageTitle title={title} takesFocus />
        <div className="mt-4 text-lg text-soft">{children}</div>
        <div className="mt-8 flex flex-wrap gap-3">{links}</div>
      </div>
    </div>
  )
}

import type { ReactNode } from 'react'
import { ButtonLink } from '../ui/action/button.tsx'
import { classes } from '../ui/classes.ts'
import { Icon } from '../ui/icon.tsx'
import { PageTitle } from '../ui/layout/page.tsx'

const LOOKS = {
  good: { colours: 'bg-good-wash text-good', sign: 'M7 12.5l3.500 3.500L17 8.500' },
  bad: { colours: 'bg-bad-wash text-bad', sign: 'M8 8l8 8M16 8l-8 8' },
  neutral: { colours: 'bg-wash text-accent', sign: 'M7 12h10' },
}
const VARIANTS = ['primary', 'secondary', 'quiet'] as const

interface ResultPageProps {
  tone: keyof typeof LOOKS
  title: string
  children: ReactNode
  action?: ReactNode
  /** Labels of links to go on from here, by address, the most important one first. */
  links: Record<string, string>
}

/** How a payment ended: a sign, the outcome, the next steps. */
export const ResultPage = ({ tone, title, children, action, links }: ResultPageProps) => (
  <div className="page max-w-2xl py-14 sm:py-20">
    <div className="rounded-card border border-line bg-surface p-6 shadow-sheet sm:p-10">
      <div className={classes('mb-6 grid size-14 place-items-center rounded-full', LOOKS[tone].colours)}>
        <Icon of={LOOKS[tone].sign} width={2.4} className="size-8" />
      </div>
      <PageTitle title={title} takesFocus />
      <div className="mt-4 text-lg text-soft">{children}</div>
      <div className="mt-8 flex flex-wrap gap-3">
        {action}
        {Object.entries(links).map(([to, label], index) => (
          <ButtonLink key={to} to={to} variant={VARIANTS[index + (action ? 1 : 0)] ?? 'quiet'}>
            {label}
          </ButtonLink>
        ))}
      </div>
    </div>
  </div>
)

import type { ReactNode } from 'react'
import { classes } from '../classes.ts'
import { PageTitle } from './page-title.tsx'

interface PageProps {
  title: string
  /** The heading, where it is not the title itself. */
  heading?: ReactNode
  intro?: ReactNode
  /** Open to visitors: larger, as the other public pages. */
  open?: boolean
  /** The page replaces a form, and takes its focus. */
  takesFocus?: boolean
  className?: string
  children: ReactNode
}

/** The frame of a screen: its heading, and a sentence of what it is for. */
export const Page = ({ title, heading, intro, open = false, takesFocus, className, children }: PageProps) => (
  <div className={classes('page', open ? 'pt-10 sm:pt-16' : 'py-4 sm:py-9', className)}>
    <PageTitle title={title} takesFocus={takesFocus} className={open ? 'text-4xl sm:text-5xl' : undefined}>
      {heading}
    </PageTitle>
    {intro && <p className={classes('max-w-prose text-lg text-soft', open ? 'mt-4' : 'mt-3')}>{intro}</p>}
    {children}
  </div>
)

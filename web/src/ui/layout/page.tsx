import { type ReactNode, useEffect, useRef } from 'react'
import { focusIfLost } from '../action/use-lost-focus.ts'
import { classes } from '../classes.ts'

interface PageTitleProps {
  /** The browser tab's title, before the product's name. */
  title: string
  /** The heading, if it differs from the title. */
  children?: ReactNode
  /** Whether it replaces the focused element (a form, a retry button) and takes the focus. */
  takesFocus?: boolean
  className?: string
}

interface PageProps extends PageTitleProps {
  /** The heading, if it differs from the title. */
  heading?: ReactNode
  intro?: ReactNode
  /** Open to visitors, so larger, like the other public pages. */
  open?: boolean
  children: ReactNode
}

/** The frame of a screen: its heading, and a sentence about its purpose. */
export const Page = ({ title, heading, intro, open = false, takesFocus, className, children }: PageProps) => (
  <div className={classes('page', open ? 'pt-10 sm:pt-16' : 'py-4 sm:py-9', className)}>
    <PageTitle title={title} takesFocus={takesFocus} className={open ? 'text-4xl sm:text-5xl' : undefined}>
      {heading}
    </PageTitle>
    {intro && <p className={classes('max-w-prose text-lg text-soft', open ? 'mt-4' : 'mt-3')}>{intro}</p>}
    {children}
  </div>
)

/** The page's only `h1`. The layout moves the focus here after a change of page. */
export function PageTitle({ title, children, takesFocus = false, className }: PageTitleProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    document.title = `${title} · Voxscribe`
  }, [title])
  useEffect(() => {
    if (takesFocus) return focusIfLost(heading.current)
  }, [takesFocus])
  return (
    <h1 ref={heading} tabIndex={-1} className={classes('text-2xl sm:text-4xl', className)}>
      {children ?? title}
    </h1>
  )
}

import { type ReactNode, useEffect, useRef } from 'react'
import { focusIfLost } from '../action/use-lost-focus.ts'
import { classes } from '../classes.ts'

interface PageTitleProps {
  /** The browser tab's title, before the product's name. */
  title: string
  /** The heading, where it is not the title itself. */
  children?: ReactNode
  /** It replaces the element that had the focus (a form, a retry button), and takes the focus. */
  takesFocus?: boolean
  className?: string
}

/** The page's one `h1`. The layout moves the focus here after a change of page. */
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

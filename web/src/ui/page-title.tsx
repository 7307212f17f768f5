import { type ReactNode, useEffect } from 'react'
import { classes } from './classes.ts'

interface PageTitleProps {
  /** What the browser's tab says, before the product's name. */
  title: string
  /** The heading, where it is not the title itself. */
  children?: ReactNode
  className?: string
}

/** The page's one `h1`. The layout moves the focus here after a change of page. */
export function PageTitle({ title, children, className }: PageTitleProps) {
  useEffect(() => {
    document.title = `${title} · Voxscribe`
  }, [title])
  return (
    <h1 tabIndex={-1} className={classes('text-3xl sm:text-4xl', className)}>
      {children ?? title}
    </h1>
  )
}

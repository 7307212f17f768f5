import { type ComponentProps, type ReactNode, useId } from 'react'
import { classes } from '../classes.ts'
import { CrashBoundary, PartFailed } from '../feedback/crash-boundary.tsx'

/** A part of a page that can crash alone, for example if a service of another version omits a field. */
export const Card = ({ className, children, ...rest }: ComponentProps<'section'>) => (
  <section
    {...rest}
    className={classes('rounded-card border border-line bg-surface p-6 shadow-sheet', className)}
  >
    <CrashBoundary place="" fallback={<PartFailed />}>
      {children}
    </CrashBoundary>
  </section>
)

interface TitledCardProps extends ComponentProps<'section'> {
  title: string
  badge?: ReactNode
  large?: boolean
}

export function TitledCard({ title, badge, large = false, className, children, ...rest }: TitledCardProps) {
  const id = useId()
  return (
    <Card {...rest} aria-labelledby={id} className={classes(large && 'sm:p-8', className)}>
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h2 id={id} className={large ? 'text-xl' : 'text-lg'}>
          {title}
        </h2>
        {badge}
      </div>
      {children}
    </Card>
  )
}

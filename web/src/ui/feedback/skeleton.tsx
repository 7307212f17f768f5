import type { ComponentProps } from 'react'
import { i18n } from '../../language/i18n.ts'
import { classes } from '../classes.ts'

/** A grey placeholder; give it a size. `Skeletons` tell screen readers. */
export const Skeleton = ({ className, ...rest }: ComponentProps<'div'>) => (
  <div
    {...rest}
    aria-hidden="true"
    className={classes('animate-pulse rounded-control bg-line/70', className)}
  />
)

/** Placeholders for a part of a screen, by their heights. */
export const Skeletons = ({ heights, className }: { heights: string[]; className?: string }) => (
  <div className={classes('grid', className)}>
    <span role="status" className="sr-only">
      {i18n.t('Loading...')}
    </span>
    {heights.map((height, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: they never change
      <Skeleton key={index} data-testid="skeleton" className={height} />
    ))}
  </div>
)

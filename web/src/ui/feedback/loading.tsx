import type { ComponentProps } from 'react'
import { i18n } from '../../language/i18n.ts'
import { Button } from '../action/button.tsx'
import { classes } from '../classes.ts'
import { Banner } from './banner.tsx'
import { messageOf } from './toast.ts'

/** A gray placeholder, which needs a size. `Skeletons` also informs screen readers. */
export const Skeleton = ({ className, ...rest }: ComponentProps<'div'>) => (
  <div
    {...rest}
    aria-hidden="true"
    className={classes('animate-pulse rounded-control bg-line/70', className)}
  />
)

/** Placeholders for a part of a screen, by their height. */
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

interface LoadErrorProps {
  /** The queries of a screen, which are reported and retried as one. */
  of: { isError: boolean; isFetching: boolean; error: unknown; refetch(): unknown }[]
  /** For a response without a message. */
  fallback: string
  className?: string
}

/** Reports failed queries and offers a retry; renders nothing if none failed. */
export function LoadError({ of, fallback, className = 'mt-6' }: LoadErrorProps) {
  const failed = of.filter(query => query.isError)
  if (failed.length === 0) return null
  return (
    <Banner
      className={className}
      action={
        <Button
          variant="secondary"
          size="small"
          busy={failed.some(query => query.isFetching)}
          onClick={() => {
            for (const query of failed) query.refetch()
          }}
        >
          {i18n.t('Try again')}
        </Button>
      }
    >
      {messageOf(failed[0]?.error, fallback)}
    </Banner>
  )
}

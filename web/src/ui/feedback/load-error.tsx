import { i18n } from '../../language/i18n.ts'
import { Button } from '../action/button.tsx'
import { Banner } from './banner.tsx'
import { messageOf } from './error-message.ts'

interface LoadErrorProps {
  /** The queries of a screen; several are reported, and tried again, as one. */
  of: { isError: boolean; isFetching: boolean; error: unknown; refetch(): unknown }[]
  /** For an answer without a message. */
  fallback: string
  className?: string
}

/** Reports queries that failed and offers another try; renders nothing when none did. */
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

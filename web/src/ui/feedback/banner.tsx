import type { ReactNode } from 'react'
import { classes } from '../classes.ts'

const TONES = {
  error: 'border-bad/40 bg-bad-wash text-bad',
  success: 'border-good/40 bg-good-wash text-good',
  warning: 'border-warn/40 bg-warn-wash text-warn',
  info: 'border-accent/35 bg-wash text-accent',
}

interface BannerProps {
  tone?: keyof typeof TONES
  children: ReactNode
  action?: ReactNode
  className?: string
}

/** A message in the page. Screen readers announce errors at once, and others at the next pause. */
export const Banner = ({ tone = 'error', children, action, className }: BannerProps) => (
  <div
    role={tone === 'error' ? 'alert' : 'status'}
    className={classes(
      'flex flex-wrap items-center justify-between gap-x-4 gap-y-2 rounded-control border px-4 py-3',
      TONES[tone],
      className,
    )}
  >
    <div className="min-w-0 font-medium">{children}</div>
    {action}
  </div>
)

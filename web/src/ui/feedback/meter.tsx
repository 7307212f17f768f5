import type { ComponentProps } from 'react'
import { i18n } from '../../language/i18n.ts'
import { classes } from '../classes.ts'
import { figure } from '../figures.ts'

/** The minutes left, in figures (`of`: 1,000 minutes) and as a bar that warns below a fifth. */
export function Meter({ value, max, of }: { value: number; max: number; of: string }) {
  const part = max > 0 ? Math.min(1, Math.max(0, value / max)) : 0
  return (
    <>
      <p className="mt-3 flex flex-wrap items-baseline gap-x-2">
        <span className="font-display font-semibold text-5xl tabular-nums tracking-tight">
          {figure(value)}
        </span>
        <span className="text-soft">{of}</span>
      </p>
      <div className="mt-3 h-3 overflow-hidden rounded-full border border-edge/50 bg-sunken">
        <meter className="sr-only" aria-label={i18n.t('Minutes left')} min={0} max={max} value={value}>
          {value}
        </meter>
        <div
          className={classes(
            'h-full rounded-full forced-colors:bg-[CanvasText]',
            part > 0.2 ? 'bg-accent' : 'bg-warn',
          )}
          style={{ width: `${part * 100}%` }}
        />
      </div>
    </>
  )
}

/** A progress bar; without a `value` it pulses to show activity. */
export const Bar = ({ className, ...progress }: ComponentProps<'progress'>) => (
  <progress
    {...progress}
    className={classes(
      'block h-2 appearance-none overflow-hidden rounded-full border-none bg-line [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-line [&::-webkit-progress-value]:bg-accent [&::-webkit-progress-value]:transition-[width] [&::-webkit-progress-value]:duration-500 indeterminate:animate-pulse indeterminate:[&::-webkit-progress-bar]:bg-accent',
      className,
    )}
  />
)

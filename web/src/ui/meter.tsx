import { classes } from './classes.ts'

/** How much of something is left. It turns to a warning below a fifth. */
export function Meter({ label, value, max }: { label: string; value: number; max: number }) {
  const part = max > 0 ? Math.min(1, Math.max(0, value / max)) : 0
  return (
    <div className="mt-3 h-3 overflow-hidden rounded-full border border-edge/50 bg-sunken">
      <meter className="sr-only" aria-label={label} min={0} max={max} value={value}>
        {value}
      </meter>
      <div
        className={classes('h-full rounded-full', part > 0.2 ? 'bg-accent' : 'bg-warn')}
        style={{ width: `${part * 100}%` }}
      />
    </div>
  )
}

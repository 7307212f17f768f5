import { classes } from '../classes.ts'

/** Numbered steps: texts by title, in order. */
export const Steps = ({ steps, className }: { steps: Record<string, string>; className?: string }) => (
  <ol className={classes('grid gap-x-6 gap-y-4', className)}>
    {Object.entries(steps).map(([title, text], index) => (
      <li key={title} className="flex gap-3">
        <span
          aria-hidden="true"
          className="grid size-8 shrink-0 place-items-center rounded-full bg-wash font-display font-semibold text-accent"
        >
          {index + 1}
        </span>
        <span>
          <strong className="block font-semibold">{title}</strong>
          <span className="text-soft">{text}</span>
        </span>
      </li>
    ))}
  </ol>
)

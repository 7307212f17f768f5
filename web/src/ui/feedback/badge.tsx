import type { ReactNode } from 'react'
import { classes } from '../classes.ts'

export type Tone = 'neutral' | 'good' | 'warn' | 'bad' | 'accent'

const TONES: Record<Tone, string> = {
  neutral: 'bg-sunken text-soft',
  good: 'bg-good-wash text-good',
  warn: 'bg-warn-wash text-warn',
  bad: 'bg-bad-wash text-bad',
  accent: 'bg-wash text-accent',
}

export const Badge = ({ tone = 'neutral', children }: { tone?: Tone; children: ReactNode }) => (
  <span
    className={classes(
      'inline-flex items-center gap-1.5 rounded-full px-2.5 py-0.5 font-semibold text-sm',
      TONES[tone],
    )}
  >
    {children}
  </span>
)

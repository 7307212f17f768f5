import type { ComponentProps } from 'react'
import { classes } from './classes.ts'

export const Card = ({ className, ...rest }: ComponentProps<'section'>) => (
  <section
    {...rest}
    className={classes('rounded-card border border-line bg-surface p-6 shadow-sheet', className)}
  />
)

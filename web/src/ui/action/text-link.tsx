import { Link, type LinkProps } from 'react-router-dom'
import { classes } from '../classes.ts'

export const TextLink = ({ className, ...rest }: LinkProps) => (
  <Link {...rest} className={classes('link', className)} />
)

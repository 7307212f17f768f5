import type { ReactNode } from 'react'
import { TextLink } from './text-link.tsx'

/** The manual for programs, a file of the app's own. */
const MANUAL = new URL('../../../../docs/api.md', import.meta.url).href

/** `Trans` puts the words of its text in. */
export const ManualLink = ({ children }: { children?: ReactNode }) => (
  <TextLink to={MANUAL} target="_blank">
    {children}
  </TextLink>
)

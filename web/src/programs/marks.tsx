import type { KeyScope } from '@voxscribe/contracts/http'
import { i18n } from '../language/i18n.ts'
import { Badge } from '../ui/feedback/badge.tsx'
import { SCOPES } from './scopes.ts'

/** Shows what kind of program it is, and what it may do. */
export const Marks = ({ kind, scopes = [] }: { kind: string; scopes?: KeyScope[] }) => (
  <>
    <Badge>{kind}</Badge>
    {scopes.map(scope => (
      <Badge key={scope}>{i18n.t(SCOPES[scope][0])}</Badge>
    ))}
  </>
)

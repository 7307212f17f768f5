import { useQuery } from '@tanstack/react-query'
import { i18n } from '../language/i18n.ts'
import { Skeletons } from '../ui/feedback/skeleton.tsx'
import { Page } from '../ui/layout/page.tsx'
import { ApiKeys } from './api-keys.tsx'
import { Connections, grantsQuery } from './connections.tsx'
import { Hooks } from './webhooks/hook-cards.tsx'

export default function ProgramsScreen() {
  const grants = useQuery(grantsQuery)
  return (
    <Page
      title={i18n.t('Programs')}
      intro={i18n.t(
        'A program of yours sends recordings and reads texts with a key. ' +
          'A hook is an address of yours that we call when something happens to your notes.',
      )}
    >
      {/* Its list stands above the others, and would push them down. */}
      {grants.isPending && !grants.failureCount ? (
        <Skeletons className="mt-8 gap-6" heights={['h-40', 'h-dvh']} />
      ) : (
        <>
          <Connections />
          <ApiKeys />
          <Hooks />
        </>
      )}
    </Page>
  )
}

import { i18n } from '../language/i18n.ts'
import { Page } from '../ui/layout/page.tsx'
import { ApiKeys } from './api-keys.tsx'
import { Connections } from './connections.tsx'
import { Hooks } from './webhooks/hook-cards.tsx'

export default function ProgramsScreen() {
  return (
    <Page
      title={i18n.t('Programs')}
      intro={i18n.t(
        'A program of yours sends recordings and reads texts with a key instead of your password. ' +
          'A hook is an address of yours that we call when something happens to your notes.',
      )}
    >
      <Connections />
      <ApiKeys />
      <Hooks />
    </Page>
  )
}

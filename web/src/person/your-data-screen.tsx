import { i18n } from '../language/i18n.ts'
import { Page } from '../ui/layout/page.tsx'
import { AudioCard } from './audio-card.tsx'
import { DeleteAccountCard } from './delete-account-card.tsx'
import { ExportCard } from './export-card.tsx'

export default function YourDataScreen() {
  return (
    <Page title={i18n.t('Your data')} intro={i18n.t('What we keep for you, and for how long.')}>
      <div className="mt-8 grid gap-6">
        <AudioCard />
        <ExportCard />
        <DeleteAccountCard />
      </div>
    </Page>
  )
}

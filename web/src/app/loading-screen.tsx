import { i18n } from '../language/i18n.ts'
import { Spinner } from '../ui/action/button.tsx'

export const Loading = ({ label = i18n.t('Loading...') }: { label?: string }) => (
  <div className="page grid min-h-[60vh] place-items-center text-lg text-soft">
    <Spinner label={label} />
  </div>
)

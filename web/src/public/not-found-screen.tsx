import { i18n } from '../language/i18n.ts'
import { ButtonLink } from '../ui/action/button.tsx'
import { PageTitle } from '../ui/layout/page.tsx'

export default function NotFoundScreen() {
  return (
    <div className="page grid min-h-[60vh] place-content-center justify-items-start gap-5 py-16">
      <p className="font-bold font-display text-[min(6rem,30vw)] text-accent leading-none tracking-tighter">
        404
      </p>
      <PageTitle title={i18n.t('Page not found')} />
      <p className="max-w-prose text-lg text-soft">
        {i18n.t('Nothing is written here. The address may be old or mistyped.')}
      </p>
      <ButtonLink to="/">{i18n.t('Go Home')}</ButtonLink>
    </div>
  )
}

import { Trans } from '@lingui/react'
import type { PublicConfig } from '@voxscribe/contracts/http'
import { type ReactNode, useEffect } from 'react'
import { useConfig } from '../../api/config.ts'
import { i18n } from '../../language/i18n.ts'
import { TextLink } from '../../ui/action/button.tsx'
import { LoadError, Skeletons } from '../../ui/feedback/loading.tsx'
import { Page } from '../../ui/layout/page.tsx'

interface LegalPageProps {
  page: keyof PublicConfig['legal']
  title: string
  intro: string
  /** Headings, each with its paragraphs. They say what the code does: change both together. */
  sections(config: PublicConfig): [heading: string, ...paragraphs: ReactNode[]][]
}

/** One of the texts about the law, unless the operator has another: then the browser goes there. */
export function LegalPage({ page, title, intro, sections }: LegalPageProps) {
  const config = useConfig()
  const elsewhere = config.data?.legal[page]
  useEffect(() => {
    if (elsewhere) window.location.replace(elsewhere)
  }, [elsewhere])
  const isShown = config.data && !elsewhere
  return (
    <Page open title={title} intro={isShown && intro} className="max-w-3xl">
      <LoadError of={[config]} fallback={i18n.t('Failed to load this page')} />
      {!isShown && !config.isError && <Skeletons className="mt-8 gap-6" heights={['h-24', 'h-24', 'h-24']} />}
      {isShown &&
        sections(config.data).map(([heading, ...paragraphs]) => (
          <section key={heading} className="mt-10">
            <h2 className="text-2xl">{heading}</h2>
            {paragraphs.filter(Boolean).map((paragraph, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: they never change
              <p key={index} className="mt-3 text-lg leading-relaxed">
                {paragraph}
              </p>
            ))}
          </section>
        ))}
    </Page>
  )
}

/** A sentence with the address of support in `<0>{email}</0>`. */
export const WithAddress = ({ id, email }: { id: string; email: string }) => (
  <Trans id={id} values={{ email }} components={{ 0: <TextLink to={`mailto:${email}`} /> }} />
)

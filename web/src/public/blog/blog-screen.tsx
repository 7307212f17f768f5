import { Trans } from '@lingui/react'
import { Link } from 'react-router-dom'
import { i18n } from '../../language/i18n.ts'
import { Page } from '../../ui/layout/page.tsx'
import { CHAPTERS } from './chapters.ts'

export default function BlogScreen() {
  return (
    <Page
      open
      title={i18n.t('Blog')}
      heading={
        <Trans id="On speaking and <0>writing down</0>" components={{ 0: <span className="marked" /> }} />
      }
      intro={i18n.t('Three short pieces for people who get more voice notes than they can listen to.')}
    >
      <ul className="mt-12 border-line border-t">
        {CHAPTERS.map(({ id, title, summary, reading }, index) => (
          <li key={id} className="border-line border-b">
            <article className="group relative grid gap-x-8 gap-y-2 py-8 md:grid-cols-[4rem_1fr_8rem]">
              <span aria-hidden="true" className="font-bold font-display text-3xl text-accent">
                {index + 1}
              </span>
              <div>
                <h2 className="text-2xl">
                  <Link
                    to={`/blog/${index + 1}#${id}`}
                    className="decoration-2 decoration-accent underline-offset-4 after:absolute after:inset-0 group-hover:underline"
                  >
                    {i18n.t(title)}
                  </Link>
                </h2>
                <p className="mt-2 max-w-prose text-soft">{i18n.t(summary)}</p>
              </div>
              <p className="text-soft text-sm md:pt-2 md:text-end">
                {i18n.t('{minutes, plural, one {# minute to read} other {# minutes to read}}', {
                  minutes: reading,
                })}
              </p>
            </article>
          </li>
        ))}
      </ul>
    </Page>
  )
}

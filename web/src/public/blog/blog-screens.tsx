import { Trans } from '@lingui/react'
import { Link } from 'react-router-dom'
import { useInstallation, useOpenToAll } from '../../api/installation.tsx'
import { i18n } from '../../language/i18n.ts'
import { ButtonLink } from '../../ui/action/button.tsx'
import { Skeletons } from '../../ui/feedback/loading.tsx'
import { useHash } from '../../ui/layout/go-to.ts'
import { Page, PageTitle } from '../../ui/layout/page.tsx'
import { CHAPTERS } from './chapters.ts'

export function BlogScreen() {
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

/** One article serves every id; the list's links lead to its chapters. */
export function ArticleScreen() {
  useHash()
  const here = useInstallation()
  const days = here?.retentionDays
  const openToAll = useOpenToAll()
  return (
    <article className="page max-w-3xl pt-10 sm:pt-14">
      <Link to="/blog" className="link">
        <span aria-hidden="true" className="me-1 inline-block rtl:-scale-x-100">
          ←
        </span>
        {i18n.t('All articles')}
      </Link>
      <PageTitle title={i18n.t('A short handbook of voice notes')} className="mt-5 text-4xl sm:text-5xl" />
      <p className="mt-4 text-lg text-soft">
        {i18n.t('Recording them well, in any language, and finding them again.')}{' '}
        {i18n.t('{minutes, plural, one {# minute to read} other {# minutes to read}}', { minutes: total })}
      </p>
      <nav aria-label={i18n.t('Chapters')} className="mt-8 rounded-card bg-sunken p-6">
        <ol className="grid list-inside list-decimal gap-2 marker:text-soft">
          {CHAPTERS.map(({ id, title }) => (
            <li key={id}>
              <a href={`#${id}`} className="link">
                {i18n.t(title)}
              </a>
            </li>
          ))}
        </ol>
      </nav>
      {CHAPTERS.map(({ id, title, sections }) => (
        <section
          key={id}
          id={id}
          tabIndex={-1}
          aria-labelledby={`${id}-title`}
          className="pt-14 outline-none"
        >
          <h2 id={`${id}-title`} className="text-3xl">
            {i18n.t(title)}
          </h2>
          {sections.map(([heading, ...paragraphs]) => (
            <section key={heading} className="mt-7">
              <h3 className="text-xl">{i18n.t(heading)}</h3>
              {paragraphs.map(text =>
                days === undefined && text.startsWith('{days,') ? (
                  <Skeletons key={text} className="mt-3" heights={['h-36']} />
                ) : (
                  <p key={text} className="mt-3 text-lg leading-relaxed">
                    {i18n.t(text, { days: days ?? 0 })}
                  </p>
                ),
              )}
            </section>
          ))}
        </section>
      ))}
      <div className="mt-16 border-line border-t pt-8">
        <p className="font-semibold text-lg">{i18n.t('Try it on a note of your own.')}</p>
        <div className="mt-4 flex flex-wrap gap-3">
          {openToAll && <ButtonLink to="/signup">{i18n.t('Sign Up')}</ButtonLink>}
          {here?.plans !== false && (
            <ButtonLink to="/pricing" variant="secondary">
              {i18n.t('View Pricing')}
            </ButtonLink>
          )}
        </div>
      </div>
    </article>
  )
}

const total = CHAPTERS.reduce((sum, { reading }) => sum + reading, 0)

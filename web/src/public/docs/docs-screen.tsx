import pages from 'virtual:docs'
import { Link } from 'react-router-dom'
import { i18n } from '../../language/i18n.ts'
import { Page } from '../../ui/layout/page.tsx'
import { CHAPTERS } from './chapters.ts'

/** The three chapters, and the reference pages that they link to. */
export default function DocsScreen() {
  // Decisions, whose names begin with a digit, are only reached by links.
  const others = Object.entries(pages).filter(([name]) => !(name in CHAPTERS || /^\d/.test(name)))
  return (
    <Page
      open
      title={i18n.t('Docs')}
      intro={i18n.t(
        'How to use it, how to connect it with programs, and how to run it yourself. In English.',
      )}
    >
      <ul className="mt-10 grid gap-6 md:grid-cols-3">
        {Object.entries(CHAPTERS).map(([name, [title, about]]) => (
          <li key={name} className="relative rounded-card border border-line bg-surface p-7 shadow-sheet">
            <h2 className="text-2xl">
              <Link to={`/docs/${name}`} className="link after:absolute after:inset-0 after:rounded-card">
                {i18n.t(title)}
              </Link>
            </h2>
            <p className="mt-2 text-soft">{i18n.t(about)}</p>
          </li>
        ))}
      </ul>
      <h2 className="mt-16 text-2xl">{i18n.t('In detail')}</h2>
      <ul lang="en" dir="ltr" className="mt-4 grid gap-2">
        {others.map(([name, { title }]) => (
          <li key={name}>
            <Link to={`/docs/${name}`} className="link">
              {title}
            </Link>
          </li>
        ))}
      </ul>
    </Page>
  )
}

import { NavLink } from 'react-router-dom'
import { i18n } from '../../language/i18n.ts'
import { classes } from '../../ui/classes.ts'
import { useHash } from '../../ui/layout/go-to.ts'
import { PageTitle } from '../../ui/layout/page.tsx'
import { CHAPTERS } from './chapters.ts'
import './docs.css'

interface ArticleProps {
  title: string
  html: string
  parts: { id: string; title: string }[]
}

/** A page of the docs, below the navigation of the chapters. */
export function Article({ title, html, parts }: ArticleProps) {
  useHash()
  return (
    <div className="page max-w-5xl pt-8 sm:pt-12">
      <nav aria-label={i18n.t('Docs')}>
        <ul className="flex flex-wrap gap-x-6 gap-y-2 border-line border-b">
          {Object.entries({ '': [/*i18n*/ 'Docs'], ...CHAPTERS }).map(([name, [chapter = '']]) => (
            <li key={name}>
              <NavLink
                to={`/docs/${name}`}
                end
                className={({ isActive }) =>
                  classes(
                    'inline-block py-2.5 font-medium',
                    isActive ? 'border-accent border-b-2 text-accent' : 'hover:text-accent',
                  )
                }
              >
                {i18n.t(chapter)}
              </NavLink>
            </li>
          ))}
        </ul>
      </nav>
      <article lang="en" dir="ltr" className="mt-8">
        <PageTitle title={title} className="text-4xl sm:text-5xl" />
        {parts.length > 0 && (
          <nav aria-label={i18n.t('On this page')} className="mt-8 rounded-card bg-sunken p-6">
            <ul className="grid gap-x-8 gap-y-2 sm:grid-cols-2">
              {parts.map(part => (
                <li key={part.id}>
                  <a href={`#${part.id}`} className="link">
                    {part.title}
                  </a>
                </li>
              ))}
            </ul>
          </nav>
        )}
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: it is built from our own files */}
        <div className="docs mt-8" dangerouslySetInnerHTML={{ __html: html }} />
      </article>
    </div>
  )
}

import pages from 'virtual:docs'
import type { ReactNode } from 'react'
import { useParams } from 'react-router-dom'
import { Article } from '../public/docs/article.tsx'
import NotFoundScreen from '../public/not-found-screen.tsx'
import { lazyScreen } from './lazy-screen.tsx'

/** Placeholders for the address of an installation. */
const ADDRESSES = /http:\/\/localhost:8080|https:\/\/(?:your\.installation|voxscribe\.example)/g
/** The page of all settings keeps the placeholders, because there they are the defaults. */
const DEFAULTS = 'configuration'

/** Loads each page's text when it is first opened. */
const ARTICLES: Record<string, ReactNode> = Object.fromEntries(
  Object.entries(pages).map(([name, { load }]) => [
    name,
    lazyScreen(async () => {
      const { default: page } = await load()
      const html = name === DEFAULTS ? page.html : page.html.replaceAll(ADDRESSES, window.location.origin)
      return { default: () => <Article {...page} html={html} /> }
    }),
  ]),
)

export default function DocsPageScreen() {
  const { page = '' } = useParams()
  return ARTICLES[page] ?? <NotFoundScreen />
}

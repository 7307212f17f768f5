import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { screen, waitFor, within } from '@testing-library/react'
import { matchRoutes } from 'react-router-dom'
import { docsPages } from '../../../docs-pages.mjs'
import { routes } from '../../app/routes.tsx'
import { ada } from '../../testing/people.ts'
import { openApp } from '../../testing/render-app.tsx'

const DOCS = join(import.meta.dirname, '../../../../docs')
const OWN = 'http://localhost:8080'
const pages = docsPages()
const ids = (html: string) => [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)

/** Returns what is wrong with a page's link; undefined if its target exists. */
function fault(page: string, href: string): string | undefined {
  const address = href.startsWith(OWN) ? href.slice(OWN.length) : href
  if (address.startsWith('https://')) return undefined
  if (address.startsWith('file:'))
    return existsSync(join(DOCS, address.slice('file:'.length))) ? undefined : 'no such file'
  const { pathname, hash } = new URL(address, `${OWN}/docs/${page}`)
  const name = /^\/docs\/(.+)$/.exec(pathname)?.[1]
  const target = name === undefined ? undefined : pages[name]
  if (name !== undefined && !target) return 'no such page'
  if (hash && !(target && ids(target.html).includes(hash.slice(1)))) return 'no such part'
  return matchRoutes(routes, pathname)?.at(-1)?.route.path === '*' ? 'no such screen' : undefined
}

describe.each(Object.entries(pages))('the page %s of the docs', (name, { html, parts, title }) => {
  test('when each of its links is followed, then it leads somewhere', () => {
    const links = [...html.matchAll(/href="([^"]+)"/g)].map(([, href = '']) => href)
    expect(links.flatMap(href => fault(name, href) ?? [])).toEqual([])
  })

  test('when a browser translates it, then code stays as it is', () => {
    expect([...html.matchAll(/<code(?! translate="no")/g)]).toEqual([])
  })

  test('has a title, and parts whose addresses differ', () => {
    expect(title).not.toBe('')
    expect(new Set(ids(html)).size).toBe(ids(html).length)
    expect(ids(html)).toEqual(expect.arrayContaining(parts.map(({ id }) => id)))
  })
})

test('when the docs are opened, then there are the three chapters, and the reference', async () => {
  openApp('/docs')
  const main = within(await screen.findByRole('main'))
  await main.findByRole('heading', { name: 'Docs' })
  const links = main.getAllByRole('link').map(link => link.getAttribute('href'))
  expect(links.slice(0, 3)).toEqual(['/docs/use', '/docs/connect', '/docs/run'])
  const listed = Object.keys(pages).filter(name => !/^\d/.test(name))
  expect(links.toSorted()).toEqual(listed.map(name => `/docs/${name}`).toSorted())
  expect(screen.getByRole('contentinfo').querySelector('a[href="/docs"]')).toBeTruthy()
})

test.each(['connect', 'recipes', 'providers', 'use'])(
  'when the page %s is opened, then its examples have this installation’s address',
  async page => {
    openApp(`/docs/${page}`)
    await screen.findByRole('heading', { level: 1, name: pages[page]!.title })
    const text = screen.getByRole('article').innerHTML
    expect(text).toContain(window.location.origin)
    expect(text).not.toMatch(/localhost:8080|your\.installation|voxscribe\.example/)
  },
)

test('when a person with an account writes to support, then name and address are filled in', async () => {
  openApp('/contact', {}, ada)
  await waitFor(() => expect(screen.getByLabelText<HTMLInputElement>('Email').value).toBe(ada.email))
  expect(screen.getByLabelText<HTMLInputElement>('Name').value).toBe(ada.name)
})

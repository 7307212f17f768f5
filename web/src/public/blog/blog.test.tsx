import { screen, within } from '@testing-library/react'
import { openApp } from '../../testing/render-app.tsx'

test('when the blog is opened, then it lists three articles', async () => {
  openApp('/blog')
  await screen.findByRole('heading', { level: 1 })
  const articles = screen.getAllByRole('article')
  const links = articles.map(article => within(article).getByRole('link').getAttribute('href'))
  expect(links).toEqual(['/blog/1#recording', '/blog/2#languages', '/blog/3#finding'])
})

test('when any article is opened, then it is the same one', async () => {
  const texts: (string | null)[] = []
  for (const id of ['1', '2', 'no-such-article', '%3Cscript%3E']) {
    const { unmount } = openApp(`/blog/${id}`)
    await screen.findByRole('heading', { level: 1, name: 'A short handbook of voice notes' })
    texts.push(screen.getByRole('article').textContent)
    unmount()
  }
  expect(new Set(texts).size).toBe(1)
})

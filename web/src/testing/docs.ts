import { docsPages } from '../../docs-pages.mjs'

/** Replaces `virtual:docs` in tests with the same pages, rendered at once. */
export default Object.fromEntries(
  Object.entries(docsPages()).map(([name, page]) => [
    name,
    { title: page.title, load: async () => ({ default: page }) },
  ]),
)

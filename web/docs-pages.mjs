import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { Marked } from 'marked'

const DOCS = resolve(import.meta.dirname, '../docs')
/** The three chapters, by their names in addresses. All that they lead to comes along, under the names of the files. */
const CHAPTERS = { use: 'use.md', connect: 'api.md', run: 'operations.md' }

const nameOf = file =>
  Object.entries(CHAPTERS).find(([, chapter]) => chapter === file)?.[0] ??
  file.replace(/^.*\//, '').replace(/\.md$/, '')

/** Renders the chapters and every page that they lead to, by name. Throws for a link to what isn't in the folder. */
export function docsPages() {
  const pages = {}
  const waiting = Object.values(CHAPTERS)
  for (const file of waiting) {
    if (pages[nameOf(file)]) continue
    const { links, ...page } = render(file)
    pages[nameOf(file)] = page
    waiting.push(...links)
  }
  return pages
}

function render(file) {
  const [parts, links, files] = [[], [], []]
  let title = ''
  function addressOf(href) {
    if (/^(https?:|#)/.test(href)) return href
    const [path = '', part] = href.split('#')
    const target = relative(DOCS, join(DOCS, dirname(file), path))
    if (target.startsWith('..') || !existsSync(join(DOCS, target)) || !/\.\w+$/.test(target))
      throw new Error(`docs/${file} leads to ${href}, which the product doesn't serve`)
    if (target.endsWith('.md')) {
      links.push(target)
      return `/docs/${nameOf(target)}${part ? `#${part}` : ''}`
    }
    files.push(target)
    return `file:${target}`
  }
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text }) {
        if (depth === 1) {
          title = text
          return ''
        }
        const id = partOf(text)
        if (depth === 2) parts.push({ id, title: text.replaceAll('`', '') })
        return `<h${depth} id="${id}">${this.parser.parseInline(tokens)}</h${depth}>\n`
      },
      link({ href, tokens }) {
        return `<a class="link" href="${addressOf(href)}">${this.parser.parseInline(tokens)}</a>`
      },
      // Keyboards scroll what has the focus.
      code: ({ text }) => `<pre tabindex="0"><code translate="no">${escaped(text)}</code></pre>\n`,
      codespan: ({ text }) => `<code translate="no">${escaped(text)}</code>`,
      table({ header, rows }) {
        const cells = (row, tag) =>
          `<tr>${row.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`).join('')}</tr>`
        const body = rows.map(row => cells(row, 'td')).join('\n')
        return `<div class="wide" tabindex="0"><table><thead>${cells(header, 'th')}</thead><tbody>${body}</tbody></table></div>\n`
      },
      // Marks for what generates parts of a page.
      html: () => '',
    },
  })
  const html = marked.parse(readFileSync(join(DOCS, file), 'utf8'), { async: false })
  return { title, html, parts, files, links }
}

/** The name that GitHub gives a heading in addresses. */
const partOf = heading =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc} -]/gu, '')
    .replaceAll(' ', '-')

const escaped = text => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

const LIST = '\0virtual:docs'

/** Gives the web application `virtual:docs`: the pages' titles, and what loads each. */
export const docs = {
  name: 'docs',
  resolveId: id => (id.startsWith('virtual:docs') ? `\0${id}` : undefined),
  load(id) {
    if (!id.startsWith(LIST)) return undefined
    const pages = docsPages()
    if (id === LIST)
      return `export default {${Object.entries(pages).map(
        ([name, { title }]) =>
          `${JSON.stringify(name)}: { title: ${JSON.stringify(title)}, load: () => import('virtual:docs/${name}') }`,
      )}}`
    const { files, html, ...page } = pages[id.slice(LIST.length + 1)]
    const urls = files.map(file => [`file:${file}`, `${join(DOCS, file)}?url`])
    return [
      ...urls.map(([, url], n) => `import file${n} from ${JSON.stringify(url)}`),
      `export default { ...${JSON.stringify(page)}, html: ${JSON.stringify(html)}`,
      ...urls.map(([file], n) => `.replaceAll(${JSON.stringify(file)}, file${n})`),
      '}',
    ].join('\n')
  },
}

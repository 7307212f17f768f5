import type { Plugin } from 'vite'

export interface DocsPage {
  title: string
  html: string
  parts: { id: string; title: string }[]
  /** Files that the page links to, by their paths in the folder of docs. In `html` they are `file:<path>`. */
  files: string[]
}
export function docsPages(): Record<string, DocsPage>
export const docs: Plugin

/// <reference types="vite/client" />

/** The pages of docs/, by their name in addresses; made by `docs-pages.mjs`. */
declare module 'virtual:docs' {
  interface Page {
    title: string
    html: string
    parts: { id: string; title: string }[]
  }
  const pages: Record<string, { title: string; load(): Promise<{ default: Page }> }>
  export default pages
}

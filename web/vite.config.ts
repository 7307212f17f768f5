import { createReadStream, existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

const flagFolder = fileURLToPath(new URL('flags/4x3', import.meta.resolve('flag-icons/package.json')))

/** Puts the countries' flags at `/flags/<alpha-2>.svg`: two hundred small files, of which a list loads what it shows. */
const flags = (): Plugin => ({
  name: 'flags',
  configureServer(server) {
    server.middlewares.use('/flags', (request, response, next) => {
      const name = /^\/([a-z]{2}\.svg)$/.exec(request.url ?? '')?.[1]
      if (!name || !existsSync(`${flagFolder}/${name}`)) return next()
      response.setHeader('content-type', 'image/svg+xml')
      createReadStream(`${flagFolder}/${name}`).pipe(response)
    })
  },
  generateBundle() {
    for (const name of readdirSync(flagFolder).filter(file => /^[a-z]{2}\.svg$/.test(file)))
      this.emitFile({
        type: 'asset',
        fileName: `flags/${name}`,
        source: readFileSync(`${flagFolder}/${name}`),
      })
  },
})

/** Has the two fonts fetched along with the code that will write with them, so that no text changes its shape. */
const earlyFonts = (): Plugin => ({
  name: 'early-fonts',
  transformIndexHtml: {
    order: 'post',
    handler: (_, { bundle }) =>
      Object.keys(bundle ?? {})
        .filter(file => /(instrument-sans|bricolage-grotesque)-latin-wght.*\.woff2$/.test(file))
        .map(file => ({
          tag: 'link',
          attrs: { rel: 'preload', as: 'font', type: 'font/woff2', href: `/${file}`, crossorigin: '' },
          injectTo: 'head',
        })),
  },
})

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  plugins: [react(), tailwindcss(), flags(), earlyFonts()],
  // Nothing inline: the gateway's Content-Security-Policy allows files of its own only.
  build: { assetsInlineLimit: 0, modulePreload: { polyfill: false } },
  server: {
    port: 5173,
    proxy: { '/api': process.env.API_URL ?? 'http://localhost:8080' },
  },
})

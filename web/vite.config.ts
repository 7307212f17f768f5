import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { docs } from './docs-pages.mjs'

const flagFolder = fileURLToPath(new URL('flags/4x3', import.meta.resolve('flag-icons/package.json')))

/** Puts the countries' flags at `/flags/<alpha-2>.svg`: two hundred small files, of which a list loads what it shows. */
const flags: Plugin = {
  name: 'flags',
  generateBundle() {
    for (const name of readdirSync(flagFolder).filter(file => /^[a-z]{2}\.svg$/.test(file))) {
      const source = readFileSync(`${flagFolder}/${name}`)
      this.emitFile({ type: 'asset', fileName: `flags/${name}`, source })
    }
  },
}

const gateway = process.env.API_URL ?? 'http://localhost:8080'

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  plugins: [react(), tailwindcss(), flags, docs],
  // Nothing inline: the gateway's Content-Security-Policy allows files of its own only.
  build: { assetsInlineLimit: 0, modulePreload: { polyfill: false } },
  server: { port: 5173, proxy: { '/api': gateway, '/flags': gateway } },
})

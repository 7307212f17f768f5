// Preloaded into a system (`--import`): writes the URL of each module that its main thread loads from a file, one per
// line, to the file in MODULES_FILE.
import { appendFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { isMainThread } from 'node:worker_threads'

const { MODULES_FILE = '' } = process.env
function load(url, context, nextLoad) {
  if (url.startsWith('file:')) appendFileSync(MODULES_FILE, `${url}\n`)
  return nextLoad(url, context)
}
if (isMainThread) registerHooks({ load })

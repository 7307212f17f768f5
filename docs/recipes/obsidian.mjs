// Writes each text into an Obsidian vault: VAULT=~/Notes/Voice VOXSCRIBE_HOOK_SECRET=whsec_… PORT=3000 node obsidian.mjs
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { Webhook } from 'standardwebhooks'

const { VAULT = 'Voice', VOXSCRIBE_HOOK_SECRET = '', PORT = '3000' } = process.env
const webhook = new Webhook(VOXSCRIBE_HOOK_SECRET)
await mkdir(VAULT, { recursive: true })

/** A message that comes twice writes the same file: its name ends in the id. */
async function save({ id, date, time, title, source, language, audioLength, tags, text: said }) {
  // Obsidian links to no name with these characters, and Windows takes none.
  const name = `${date} ${time} ${title}`.replace(/[\s\\/:*?"<>|#^[\]\p{Cc}]+/gu, ' ').slice(0, 80)
  const facts = { id, date, source, language, length: audioLength, tags }
  const lines = Object.entries(facts).map(([fact, value]) => `${fact}: ${JSON.stringify(value)}`)
  const path = join(VAULT, `${name.trim()} ${id.slice(0, 8)}.md`)
  await writeFile(`${path}.part`, `---\n${lines.join('\n')}\n---\n\n${said}\n`)
  await rename(`${path}.part`, path)
}

createServer(async (request, response) => {
  try {
    const { type, data } = webhook.verify(await text(request), request.headers)
    if (type === 'transcription.completed') await save(data)
    response.writeHead(204).end()
  } catch (error) {
    response.writeHead(error.name === 'WebhookVerificationError' ? 400 : 500).end()
  }
}).listen(Number(PORT))

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** A text model with OpenAI's protocol: sums up with one line and a task, and translates by a mark before each passage. */
export async function startTextModel() {
  const server = createServer(async (request, response) => {
    const { messages } = JSON.parse(await text(request))
    const { transcript, segments } = JSON.parse(messages[1].content)
    const gist = { lines: [`About: ${transcript}`], tasks: [{ text: 'Wait for spring', due: '2027-03-20' }] }
    const translation = segments?.map(({ id, text }: { id: string; text: string }) => ({
      id,
      text: `ES ${text}`,
    }))
    const content = JSON.stringify(segments ? { segments: translation, language: 'Spanish' } : gist)
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ choices: [{ index: 0, message: { role: 'assistant', content } }] }))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    settings: {
      TEXT_MODEL: 'stand-in',
      TEXT_BASE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    },
    stop: () => server.close(),
  }
}

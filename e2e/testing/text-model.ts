import { text } from 'node:stream/consumers'
import { serve } from '@voxscribe/messaging/testing'

/** Interprets a message that names a chapter as a new title, and one about an allotment as a question about minutes. */
function actIn(message: string) {
  const [, words = ''] = /chapter (.+)/.exec(message) ?? []
  const act = words ? 'title' : message.includes('allotment') ? 'minutes' : 'none'
  return { act, words, language: '' }
}

/**
 * Starts a text model with OpenAI's protocol: it summarizes with one line and a task, translates by putting a mark
 * before each passage, and knows two acts.
 */
export async function startTextModel() {
  const server = await serve(async (request, response) => {
    const { messages } = JSON.parse(await text(request))
    const { transcript, segments, message } = JSON.parse(messages[1].content)
    const gist = { lines: [`About: ${transcript}`], tasks: [{ text: 'Wait for spring', due: '2027-03-20' }] }
    const translation = segments?.map(({ id, text }: { id: string; text: string }) => ({
      id,
      text: `ES ${text}`,
    }))
    const made = segments ? { segments: translation, language: 'Spanish' } : gist
    const content = JSON.stringify(message ? actIn(message) : made)
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ choices: [{ index: 0, message: { role: 'assistant', content } }] }))
  })
  return {
    settings: { TEXT_MODEL: 'stand-in', TEXT_BASE_URL: `${server.url}/v1` },
    stop: server.stop,
  }
}

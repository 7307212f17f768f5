// A note's path through plain parts, in one resident process: accepts the webhook, asks for the file's address,
// downloads it, converts it with one run of ffmpeg to Opus for the engine (with `as-is`, sends the file unchanged), has
// it recognized, and answers. Run: node lab/bench/plain/note.ts GRAPH ENGINE SECRET opus|as-is; prints its port.
import { spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { buffer } from 'node:stream/consumers'
import PQueue from 'p-queue'
import { onSignedWebhook } from './signed.ts'

const [graph, engine, secret = '', form] = process.argv.slice(2)
const OPUS = '-i pipe:0 -ar 16000 -ac 1 -c:a libopus -b:a 32k -compression_level 0 -f ogg pipe:1'.split(' ')
const queue = new PQueue({ concurrency: availableParallelism() })

async function ask(url: string, init?: RequestInit) {
  const response = await fetch(url, init)
  if (!response.ok) throw new Error(`${url} answered ${response.status}`)
  return response
}

async function opusOf(file: Buffer) {
  const ffmpeg = spawn('ffmpeg', ['-v', 'error', ...OPUS], { stdio: ['pipe', 'pipe', 'inherit'] })
  // ffmpeg may leave the end of the file, after the sound, unread.
  ffmpeg.stdin.on('error', () => {}).end(file)
  return buffer(ffmpeg.stdout)
}

async function answer(messageId: string, mediaId: string) {
  const { url } = await (await ask(`${graph}/v26.0/${mediaId}`)).json()
  const file = Buffer.from(await (await ask(url)).arrayBuffer())
  const body = new FormData()
  body.append('model', 'whisper-1')
  body.append(
    'file',
    new Blob([form === 'as-is' ? file : await opusOf(file)], { type: 'audio/ogg' }),
    'note.ogg',
  )
  const { text } = await (await ask(`${engine}/audio/transcriptions`, { method: 'POST', body })).json()
  await ask(`${graph}/v26.0/106540352242922/messages`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ type: 'text', context: { message_id: messageId }, text: { body: text } }),
  })
}

onSignedWebhook(secret, (webhook, response) => {
  const [message] = JSON.parse(webhook.toString()).entry[0].changes[0].value.messages
  queue.add(() => answer(message.id, message.audio.id))
  response.send('OK')
})

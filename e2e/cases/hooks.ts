import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { eventually } from '../testing/eventually.ts'
import { signUp } from '../testing/person.ts'
import { voiceNote } from '../testing/speech.ts'
import { freePorts, ROOT, type System } from '../testing/system.ts'

/** The receiver of docs/api.md, which prints each message that the public library verifies. */
async function startReceiver(url: string, secret: string) {
  const [, example] = /```ts\n([^`]*from 'standardwebhooks'[^`]*)```/.exec(
    readFileSync(join(ROOT, 'docs/api.md'), 'utf8'),
  )!
  const receiver = spawn(process.execPath, ['--input-type=module-typescript', '--eval', example!], {
    cwd: import.meta.dirname,
    env: { ...process.env, PORT: new URL(url).port, VOXSCRIBE_HOOK_SECRET: secret },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let printed = ''
  receiver.stdout.on('data', data => {
    printed += data
  })
  await eventually('the receiver refuses what is not signed', async () => {
    expect((await fetch(url, { method: 'POST' })).status).toBe(400)
  })
  return {
    printed: (line: string) =>
      eventually(`the receiver prints ${line}`, async () => {
        if (!printed.includes(line)) throw new Error(`it has printed ${printed}`)
      }),
    async stop() {
      const ended = once(receiver, 'exit')
      receiver.kill()
      await ended
    },
  }
}

/** A person's server gets signed messages about their notes, which it can verify. */
export function hookCases(system: () => System): void {
  test('when a note is completed and then deleted, then the hook gets both events', async () => {
    const person = await signUp(system())
    const [port] = await freePorts(1)
    const url = `http://127.0.0.1:${port}/voxscribe`
    const events = ['transcription.completed', 'transcription.deleted']
    const { status, data } = await person.http.post('/hooks', { url, events })
    expect(status).toBe(201)
    const receiver = await startReceiver(url, data.data.secret)
    try {
      await person.upload(await voiceNote())
      const [note] = await person.ended(1)
      await receiver.printed(`transcription.completed ${note?.id} ${note?.text}`)
      await person.http.delete(`/transcriptions/${note?.id}`)
      await receiver.printed(`transcription.deleted ${note?.id}`)
    } finally {
      await receiver.stop()
    }
  })
}

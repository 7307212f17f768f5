// Two hours of speech in one WhatsApp voice note through the whole product as `npm start` runs it: sent in the chat,
// paid with a play card, read back through the gateway. Prints wrong words, time, memory and the times of segments.
// Run: SPEECH_ENGINE=sphinx node bench/long-note.ts [seconds, default 7200]; MODEL_DIR and LOCAL_MODEL choose others
import { execFileSync } from 'node:child_process'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { startOneProcess } from '../e2e/testing/one-process.ts'
import { signUp } from '../e2e/testing/person.ts'
import { noteOf, wordsOf, wrongWords } from './recordings.ts'

const { SPEECH_ENGINE, MODEL_DIR, LOCAL_MODEL } = process.env
const seconds = Number(process.argv[2] ?? 7_200)
const LOOK_EVERY_MS = 2_000

/** Memory of a process and of all below it, by program, in MB. */
function memory(pid: number): { service: number; engines: number } {
  const rows = execFileSync('ps', ['-e', '-o', 'pid=,ppid=,rss='], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map(row => row.trim().split(/\s+/).map(Number) as [pid: number, parent: number, kilobytes: number])
  const below = (above: number): number =>
    rows.filter(([, parent]) => parent === above).reduce((sum, [child, , rss]) => sum + rss + below(child), 0)
  const own = rows.find(([each]) => each === pid)?.[2] ?? 0
  return { service: own / 1000, engines: below(pid) / 1000 }
}

const folder = await mkdtemp(join(tmpdir(), 'voxscribe-long-note-'))
const { path, said } = noteOf(seconds, folder)
const system = await startOneProcess({
  SPEECH_ENGINE,
  MODEL_DIR,
  LOCAL_MODEL,
  ACCESS_TOKEN_TTL: '1d',
  LOG_LEVEL: 'warn',
})
try {
  const person = await signUp(system)
  const { data: session } = await person.http.post('/stripe/create-checkout-session', { planType: 'monthly' })
  await fetch(`${system.sandboxUrl}/api/stripe/checkout/${session.data.sessionId}/pay`, { method: 'POST' })
  await person.http.post('/stripe/verify-session', { sessionId: session.data.sessionId })
  const megabytes = ((await stat(path)).size / 1e6).toFixed(1)
  process.stdout.write(`one note of ${seconds} s, ${megabytes} MB, ${said.length} words\n`)

  const started = performance.now()
  await person.sendNote(path, { voice: true })
  const seen: ReturnType<typeof memory>[] = []
  let [note] = (await person.transcriptions()).transcriptions
  while (!note || note.status === 'processing') {
    await wait(LOOK_EVERY_MS)
    seen.push(memory(system.process('voxscribe').pid!))
    ;[note] = (await person.transcriptions()).transcriptions
  }
  const took = (performance.now() - started) / 1000
  const data = (await person.http.get(`/transcriptions/${note.id}`)).data.data.transcription
  const heard = wordsOf(data.text ?? '')
  const wrong = ((100 * wrongWords(said, heard)) / said.length).toFixed(1)
  const [reply] = await person.replies(1)
  const ends = (of: number[]) =>
    `${(of[Math.floor(of.length / 4)] ?? 0).toFixed(0)} to ${Math.max(0, ...of).toFixed(0)} MB`
  process.stdout.write(
    `${note.status}, ${data.engine?.name} ${data.engine?.model ?? ''}${data.errorCode ?? ''}\n` +
      `${heard.length} words heard, ${wrong} % wrong, ${data.segments.length} segments, the last ends at ` +
      `${data.segments.at(-1)?.to} s; the reply in the chat has ${reply?.text?.length} characters\n` +
      `${took.toFixed(0)} s; memory from a quarter on: service ${ends(seen.map(each => each.service))}, ` +
      `engines ${ends(seen.map(each => each.engines))}\n`,
  )
} finally {
  await system.remove()
  await rm(folder, { recursive: true, force: true })
}

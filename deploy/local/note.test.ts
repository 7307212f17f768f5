import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { mediaIdOf } from '../../services/ingestion/src/senders/inbound.ts'

const WAMID = 'wamid.HBgLMTU1NTEyMzQ1NjcVAgASGBQzQTdC'
const NOTE = mediaIdOf(`whatsapp:${WAMID}`, 0)
const OTHER = mediaIdOf('whatsapp:wamid.another', 0)
const TRACE = '4be86a40-06fc-4a9b-8a1e-0a80ab1ac3f1'

const line = (ms: number, service: string, msg: string, fields: object) =>
  JSON.stringify({
    time: Date.parse('2026-11-21T10:00:00.000Z') + ms,
    level: 30,
    service,
    traceId: TRACE,
    msg,
    ...fields,
  })
const call = { method: 'POST', path: '/webhooks/whatsapp', status: 200, seconds: 0.012 }
const broken = { queue: 'transcription.quota-reserved', err: { message: 'The engine broke' } }
/** A webhook with two notes, a look at the first note, and another request. Out of order, as collected logs are. */
const LOG = [
  line(900, 'transcription', 'handled', { event: 'MediaReceived', mediaId: NOTE, seconds: 0.8 }),
  line(0, 'ingestion', 'answered', call),
  line(90, 'ingestion', 'handling', { event: 'MediaAnnounced', mediaId: NOTE }),
  line(91, 'ingestion', 'handling', { event: 'MediaAnnounced', mediaId: OTHER }),
  line(2400, 'transcription', 'heard by groq (whisper-large-v3)', {
    transcriptionId: NOTE,
    reason: 'not voxtral, engine_refused_us',
  }),
  line(2500, 'transcription', 'Handling failed', { level: 50, ...broken }),
  line(5000, 'gateway', 'answered', { ...call, traceId: 'a', method: 'GET', path: `/api/notes/${NOTE}` }),
  line(10, 'auth', 'answered', { ...call, traceId: 'another-trace' }),
]

describe('npm run note', () => {
  const folder = mkdtempSync(join(tmpdir(), 'note-'))
  const file = join(folder, 'voxscribe.log')
  writeFileSync(file, `${LOG.join('\n')}\n`)
  afterAll(() => rmSync(folder, { recursive: true }))

  async function run(args: string[], input = '') {
    const child = spawn(process.execPath, ['deploy/local/note.ts', ...args], {
      cwd: join(import.meta.dirname, '../..'),
    })
    child.stdin.end(input)
    const [out, err] = [child.stdout.toArray(), child.stderr.toArray()]
    const [code] = await once(child, 'close')
    return { code, out: Buffer.concat(await out).toString(), err: Buffer.concat(await err).toString() }
  }

  test.each([
    ['transcription id', NOTE],
    ['message id', WAMID],
  ])(
    'when it is asked by %s, then the life of that note is told in order, and nothing else',
    async (_what, id) => {
      const { out, code } = await run([id, file])
      expect(code).toBe(0)
      const rows = out.split('\n').filter(row => row.includes(' ms '))
      expect(rows.map(row => row.slice(25).trim().replace(/\s+/g, ' '))).toEqual([
        'ingestion answered POST /webhooks/whatsapp: 200 in 0.01 s',
        'ingestion handling MediaAnnounced',
        'transcription handled MediaReceived in 0.80 s',
        'transcription heard by groq (whisper-large-v3): not voxtral, engine_refused_us',
        'transcription ERROR Handling failed (transcription.quota-reserved): The engine broke',
      ])
      expect(rows[2]).toContain('10:00:00.900     +900 ms')
      expect(out).toContain(`Note ${NOTE}`)
      expect(out).toContain('2.50 s, 0 warnings, 1 errors')
    },
  )

  test.each([
    ['as the logs have it', TRACE],
    ['as tracing tools write it', TRACE.replaceAll('-', '')],
  ])('when it is asked by trace id %s, then all of the trace is told', async (_how, id) => {
    const { out } = await run([id, file])
    expect(out.split('\n').filter(row => row.includes(' ms '))).toHaveLength(6)
  })

  test('when container logs come on standard input, then prefixes before the JSON are skipped', async () => {
    const input = ['not a log line', ...LOG.map(line => `transcription-1  | ${line}`)].join('\n')
    const { out } = await run([NOTE, '-'], input)
    expect(out).toContain('handled MediaReceived')
  })

  test.each([
    ['no id is given', [], /npm run note -- <transcription id/],
    ['the log does not know the id', ['nobody', file], /Nothing in .* belongs to nobody/],
    ['the log is a folder', [NOTE, import.meta.dirname], /cannot be read \(EISDIR\)/],
    ['there is no log', [NOTE, '/nowhere/voxscribe.log'], /There is no log at \/nowhere/],
  ])('when %s, then it says what to do and ends with 1', async (_when, args, message) => {
    const { code, err } = await run(args)
    expect(code).toBe(1)
    expect(err).toMatch(message)
  })
})

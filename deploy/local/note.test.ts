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
const at = (ms: number) => Date.parse('2026-11-21T10:00:00.000Z') + ms

/** A webhook with two notes; someone looks at the first; another request. Out of order, as collected logs are. */
const LOG = [
  {
    time: at(900),
    service: 'transcription',
    traceId: TRACE,
    event: 'MediaReceived',
    mediaId: NOTE,
    seconds: 0.8,
    msg: 'handled',
  },
  {
    time: at(0),
    service: 'ingestion',
    traceId: TRACE,
    method: 'POST',
    path: '/webhooks/whatsapp',
    status: 200,
    seconds: 0.012,
    msg: 'answered',
  },
  {
    time: at(90),
    service: 'ingestion',
    traceId: TRACE,
    event: 'MediaAnnounced',
    mediaId: NOTE,
    msg: 'handling',
  },
  {
    time: at(91),
    service: 'ingestion',
    traceId: TRACE,
    event: 'MediaAnnounced',
    mediaId: OTHER,
    msg: 'handling',
  },
  {
    time: at(2500),
    level: 50,
    service: 'transcription',
    traceId: TRACE,
    queue: 'transcription.quota-reserved',
    err: { message: 'The engine broke' },
    msg: 'Handling failed',
  },
  {
    time: at(5000),
    service: 'gateway',
    traceId: 'someone-looks',
    method: 'GET',
    path: `/api/transcriptions/${NOTE}`,
    status: 200,
    msg: 'answered',
  },
  {
    time: at(10),
    service: 'auth',
    traceId: 'another-trace',
    method: 'POST',
    path: '/api/auth/login',
    status: 200,
    msg: 'answered',
  },
].map(line => JSON.stringify({ level: 30, ...line }))

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
    expect(out.split('\n').filter(row => row.includes(' ms '))).toHaveLength(5)
  })

  test('when container logs come on standard input, then prefixes before the JSON are skipped', async () => {
    const input = ['not a log line', ...LOG.map(line => `transcription-1  | ${line}`)].join('\n')
    const { out } = await run([NOTE, '-'], input)
    expect(out).toContain('handled MediaReceived')
  })

  test.each([
    ['no id is given', [], /npm run note -- <transcription id/],
    ['the log does not know the id', ['nobody', file], /Nothing in .* belongs to nobody/],
    ['there is no log', [NOTE, '/nowhere/voxscribe.log'], /There is no log at \/nowhere/],
  ])('when %s, then it says what to do and ends with 1', async (_when, args, message) => {
    const { code, err } = await run(args)
    expect(code).toBe(1)
    expect(err).toMatch(message)
  })
})

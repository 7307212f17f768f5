import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { startCollector } from '@voxscribe/service/testing'
import { eventually } from './testing/eventually.ts'
import { startOneProcess } from './testing/one-process.ts'
import { signUp } from './testing/person.ts'
import { SENTENCE, voiceNote, wordsOf } from './testing/speech.ts'
import { ROOT, type System } from './testing/system.ts'

const SERVICES_OF_A_NOTE = ['billing', 'gateway', 'ingestion', 'notification', 'transcription']

describe('an operator’s view of a note', () => {
  let system: System
  let collector: Awaited<ReturnType<typeof startCollector>>
  beforeAll(async () => {
    collector = await startCollector()
    system = await startOneProcess({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url })
  })
  afterAll(async () => {
    await system?.remove()
    await collector?.close()
  })

  const tell = (id: string) =>
    promisify(execFile)(process.execPath, ['deploy/local/note.ts', id, `${system.dataDir}/voxscribe.log`], {
      cwd: ROOT,
    })

  test('when a note was answered, then one command and one trace show its life without its words', async () => {
    const person = await signUp(system)
    const sent = await person.sendNote(await voiceNote(), { voice: true })
    const [note] = await person.ended(1)
    await person.replies(1)
    const story = await eventually('the answer is told, by each id', async () => {
      const { stdout } = await tell(sent.id)
      expect(stdout).toMatch(/handled TranscriptionCompleted.*\n(.*\n)*.*handled TranscriptionCompleted/)
      // More may arrive in the meantime.
      expect((await tell(String(note?.id))).stdout).toBe(stdout)
      const told = new Set([...stdout.matchAll(/ ms {2}(\w+)/g)].map(([, service]) => service))
      expect([...told].sort()).toEqual(SERVICES_OF_A_NOTE)
      return stdout
    })
    expect(story).toContain(`Note ${note?.id}`)

    const traceId = /^Trace (\S+)$/m.exec(story)?.[1]?.replaceAll('-', '')
    await eventually('the whole trace has arrived', async () => {
      const spans = collector.spans.filter(span => span.traceId === traceId)
      expect([...new Set(spans.map(span => span.service))].sort()).toEqual(SERVICES_OF_A_NOTE)
      const known = new Set(spans.map(span => span.spanId))
      const roots = spans.filter(span => !span.parentSpanId)
      expect(roots.map(span => span.name)).toEqual(['POST /webhooks/whatsapp'])
      expect(spans.filter(span => span.parentSpanId && !known.has(span.parentSpanId))).toEqual([])
      const steps = ['download from whatsapp', 'normalise', 'recognise', 'send by whatsapp']
      expect(steps.filter(step => !spans.some(span => span.name === step))).toEqual([])
    })

    await system.stop()
    const log = (await readFile(`${system.dataDir}/voxscribe.log`, 'utf8')).toLowerCase()
    const words = wordsOf(SENTENCE).filter(word => word.length > 6)
    const personal = [person.number, person.email, person.password, ...words]
    expect(personal.filter(secret => log.includes(secret))).toEqual([])
  })
})

import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { flow, MediaExpired, type Service } from '@voxscribe/contracts/events'
import { api } from '@voxscribe/contracts/http'
import { createInProcessBus } from '@voxscribe/messaging'
import axios from 'axios'
import { Schema } from 'mongoose'
import { z } from 'zod'
import type { WithOutbox } from '../database/outbox.ts'
import { implement } from '../http/routes.ts'
import { defineService } from '../run/definition.ts'
import { runService } from '../run/run-service.ts'
import { baseSettings } from '../settings/common-settings.ts'
import {
  eventually,
  idleHandlers,
  silentLog,
  startCollector,
  startTestBackings,
  type TestBackings,
} from '../testing.ts'
import { currentTrace } from './log.ts'
import { inSpan } from './tracing.ts'

// Ingestion answers a request by sending an event, which transcription receives. Both run as they do in production,
// with the test's own handlers.
const MEDIA_ID = '7b0a1c9e-5d0b-4b57-9d34-1f3a7f7f2a10'
const sender = defineService({
  name: 'ingestion',
  settings: baseSettings,
  build: ({ documents }) => {
    const things = documents.outboxModel(
      'things',
      new Schema<WithOutbox & { _id: string }>({ _id: String }),
      {
        owner: null,
        because: 'nobody’s',
      },
    )
    return {
      handlers: idleHandlers('ingestion'),
      erase: async () => {},
      routes: [
        implement(api.countries, async () => {
          const event = MediaExpired.create({ mediaId: MEDIA_ID, userId: 'ada' }, { traceId: currentTrace() })
          await things.create({ _id: event.id, outbox: [event] })
          return { data: [] as never }
        }),
      ],
    }
  },
})
const receiver = (received: () => void) =>
  defineService({
    name: 'transcription',
    settings: baseSettings,
    build: () => ({
      handlers: {
        ...idleHandlers('transcription'),
        MediaExpired: () => inSpan('deleting', async () => received()),
      },
      erase: async () => {},
    }),
  })

let backings: TestBackings
beforeAll(async () => {
  backings = await startTestBackings()
})
afterAll(() => backings?.stop())

async function follow(headers: Record<string, string>) {
  const collector = await startCollector()
  const env = { ...backings.env, OTEL_EXPORTER_OTLP_ENDPOINT: collector.url }
  const receivers: Record<string, Service[]> = { MediaExpired: ['transcription'] }
  const topology = Object.fromEntries(
    Object.entries(flow).map(([name, { event, to }]) => [name, { event, to: receivers[name] ?? to }]),
  )
  const bus = createInProcessBus({ topology, log: silentLog })
  let received = false
  const deed = () => {
    received = true
  }
  const services = [await runService(sender, env, { bus }), await runService(receiver(deed), env, { bus })]
  const answer = await axios.get(`${services[0]?.url}/api${api.countries.path}`, { headers })
  await eventually(() => received)
  await bus.close()
  for (const service of services) await service.stop()
  await collector.close()
  return { spans: collector.spans, requestId: String(answer.headers['x-request-id']) }
}

test('when a request causes a message, then both and what they do are one trace at the collector', async () => {
  const { spans, requestId } = await follow({})
  expect(new Set(spans.map(span => span.traceId))).toEqual(new Set([requestId.replaceAll('-', '')]))
  const named = (name: string) => spans.find(span => span.name === name)
  const request = named(`GET /api${api.countries.path}`)
  const message = named('process transcription.media-expired')
  const deed = named('deleting')
  expect([request, message, deed].map(span => span?.service)).toEqual([
    'ingestion',
    'transcription',
    'transcription',
  ])
  expect(request?.parentSpanId).toBeFalsy()
  expect(message?.parentSpanId).toBe(request?.spanId)
  expect(deed?.parentSpanId).toBe(message?.spanId)
})

test('when the caller has a trace, then it is continued, and the logs have its id', async () => {
  const { spans, requestId } = await follow({
    traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
  })
  expect(requestId).toBe('0af76519-16cd-43dd-8448-eb211c80319c')
  expect(new Set(spans.map(span => span.traceId))).toEqual(new Set(['0af7651916cd43dd8448eb211c80319c']))
  expect(spans.find(span => span.name.startsWith('GET'))?.parentSpanId).toBe('b7ad6b7169203331')
})

test('when there is no collector, then nothing of the SDK is loaded', async () => {
  const loadedWith = async (endpoint: string): Promise<string[]> => {
    const script = join(import.meta.dirname, '../testing/loaded-modules.ts')
    const env = { ...process.env, OTEL_EXPORTER_OTLP_ENDPOINT: endpoint }
    const { stdout } = await promisify(execFile)(process.execPath, [script], { env })
    return z.array(z.string()).parse(JSON.parse(stdout))
  }
  const sdk = (modules: string[]) => modules.filter(url => /@opentelemetry\/(?!api\/)/.test(url))
  const [without, withOne] = await Promise.all([loadedWith(''), loadedWith('http://127.0.0.1:1')])
  expect(sdk(without)).toEqual([])
  expect(sdk(withOne).length).toBeGreaterThan(0)
})

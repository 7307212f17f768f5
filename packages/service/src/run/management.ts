import { isIP } from 'node:net'
import type { Service } from '@voxscribe/contracts/events'
import type { Bus } from '@voxscribe/messaging'
import express, { type RequestHandler } from 'express'
import { sendProblem } from '../http/http.ts'
import { listen } from '../http/listen.ts'
import { refusal } from '../http/problem.ts'
import type { Logger } from '../observe/log.ts'
import { collectProcessMetrics, registry } from '../observe/metrics.ts'
import { type AdminCall, mountAdmin } from './admin.ts'
import { createAdminPage } from './admin-page.ts'

export interface Health {
  ok: boolean
  detail: string
}

export type Management = Awaited<ReturnType<typeof startManagement>>

/**
 * The management port, never public: `/healthz`, `/readyz` and `/metrics` for this installation's probes and
 * Prometheus, `/dead-letters` and `/admin/…` for operators on this machine, and the page `/admin` with its token.
 */
export async function startManagement(port: number, host: string) {
  const parts = new Map<string, { health: () => Health; counts: boolean }>()
  const figures = new Map<Service, AdminCall>()
  let bus: Bus | undefined
  const page = createAdminPage({
    local: figures,
    health: () => Object.fromEntries([...parts].map(([name, { health }]) => [name, health()])),
    deadLetters: () => bus?.deadLetters(),
  })
  collectProcessMetrics()
  const app = express()
  app.use(noPages)
  app.get('/healthz', (_request, response) => {
    response.json({ ok: true })
  })
  app.get('/readyz', (_request, response) => {
    const states = [...parts].map(([name, { health, counts }]) => ({ name, counts, state: health() }))
    // Without any part, the start is still at its beginning.
    const ok = states.length > 0 && states.every(({ counts, state }) => state.ok || !counts)
    const reported = Object.fromEntries(states.map(({ name, state }) => [name, state]))
    response.status(ok ? 200 : 503).json({ ok, parts: reported })
  })
  app.get('/metrics', async (_request, response) => {
    response.type(registry.contentType).send(await registry.metrics())
  })
  app.get('/admin', page.show)
  app.use(onlyOperators)
  app.get('/dead-letters', async (request, response) => {
    if (!bus) response.status(404).json(NO_MESSAGES)
    else response.json(await bus.deadLetters(queueOf(request.query.queue)))
  })
  app.post('/dead-letters/requeue', async (request, response) => {
    if (!bus) response.status(404).json(NO_MESSAGES)
    else response.json({ requeued: await bus.requeue(queueOf(request.query.queue)) })
  })
  const listening = await listen(app, port, host)
  return {
    ...listening,
    /** Adds a part whose health `/readyz` reports. By default, an unhealthy part makes the process unready. */
    watch: (name: string, health: () => Health, { counts } = { counts: true }) =>
      void parts.set(name, { health, counts }),
    serveAdmin(service: Service, calls: Record<string, AdminCall>, log: Logger): void {
      if (calls.figures) figures.set(service, calls.figures)
      const open = async () => ({ path: page.open(), host })
      mountAdmin(app, service, { ...calls, page: open }, log)
    },
    /** Makes `/dead-letters` list and requeue this bus's dead letters. */
    serveDeadLetters(served: Bus): void {
      bus = served
    },
  }
}

/** Refuses web pages in an operator's browser, by origin or by a foreign name for this machine (DNS rebinding). */
const noPages: RequestHandler = ({ headers, hostname = 'localhost', socket }, response, next) => {
  const isOurs = hostname === 'localhost' || isIP(hostname.replace(/^\[|\]$/g, '')) !== 0
  if (headers.origin === undefined && (isOurs || !isLoopback(socket.remoteAddress))) next()
  else sendProblem(response, refusal('not_for_browsers'))
}

/** Calls by `node admin.ts` in auth's container, and by the page, to others. They change nothing and have no words. */
const USAGE = /^\/admin\/\w+\/(?:usage|figures)$/

/** Allows only this machine, container or pod. Checks both ends, as a mesh's proxy passes on calls from elsewhere. */
const onlyOperators: RequestHandler = ({ path, socket }, response, next) => {
  const isFromHere = isLoopback(socket.remoteAddress) && isLoopback(socket.localAddress)
  if (isFromHere || USAGE.test(path)) next()
  else sendProblem(response, refusal('not_an_operator'))
}

const isLoopback = (address = ''): boolean => /^(::ffff:)?127\.|^::1$/.test(address)

const NO_MESSAGES = { message: 'This service takes no messages. Ask the management port of another one.' }
const queueOf = (given: unknown) => (typeof given === 'string' && given ? given : undefined)

import { readdirSync, readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import axios from 'axios'
import express from 'express'
import { busObserver, countDeadLetters, registry, timedWebhook, watchMessages } from './metrics.ts'

const root = join(import.meta.dirname, '../../../..')
/** Units in Prometheus's form: base units, in the plural; `info` is a constant 1 with information in its labels. */
const UNITS = /_(seconds|bytes|ratio|dollars|notes|info)$/

/** Returns kind, name and help of every metric that the code creates. */
function metricsInCode() {
  const files = ['packages', 'services'].flatMap(folder =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter(path => /\/src\/.*(?<!\.test)\.ts$/.test(path) && !path.includes('node_modules'))
      .map(path => readFileSync(join(root, folder, path), 'utf8')),
  )
  const made = /\b(counter|gauge|histogram)\(\{\s*name: '([^']+)',\s*(?:help: '([^']+)')?/g
  return files.flatMap(text =>
    [...text.matchAll(made)].map(([, kind = '', name = '', help = '']) => ({ kind, name, help })),
  )
}

test("when a metric is made, then its name follows Prometheus' conventions and it has a help", () => {
  const metrics = metricsInCode()
  const faults = metrics.flatMap(({ kind, name, help }) => [
    ...(/^[a-z][a-z0-9]*(_[a-z0-9]+)+$/.test(name) ? [] : [`${name} is not in snake case`]),
    ...(kind === 'counter' && !name.endsWith('_total') ? [`${name} counts, but does not end in _total`] : []),
    ...(kind !== 'counter' && !UNITS.test(name) ? [`${name} does not end in its unit`] : []),
    ...(/(minutes|hours|milliseconds|_ms|kilobytes)/.test(name) ? [`${name} is not in a base unit`] : []),
    ...(/_(counter|gauge|histogram)(_|$)/.test(name) ? [`${name} repeats its type`] : []),
    ...(help.length > 10 ? [] : [`${name} has no help`]),
  ])
  expect(faults).toEqual([])
  const names = metrics.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
  // deploy/monitoring has the names that alerts and the dashboard use.
  expect(names.length).toBeGreaterThan(15)
})

test('when a message is handled or dropped, then wait, time and dead letters are counted', async () => {
  const handled = { queue: 'alpha.media-expired', waitSeconds: 2, seconds: 0.2 }
  busObserver.handled({ ...handled, outcome: 'done' })
  busObserver.handled({ ...handled, outcome: 'dead' })
  watchMessages('auth', { oldestSeconds: () => 7 }, { retrying: () => new Map() })
  const text = await registry.metrics()
  expect(text).toContain('bus_message_wait_seconds_sum{queue="alpha.media-expired"} 4')
  expect(text).toContain('bus_dead_letters_total{queue="alpha.media-expired"} 1')
  expect(text).toContain('outbox_oldest_event_seconds{service="auth"} 7')
})

test('when a message waits for a retry, then its age is shown until it is handled', async () => {
  const ages = new Map([['alpha.media-expired', 3]])
  watchMessages('auth', { oldestSeconds: () => 0 }, { retrying: () => ages })
  expect(await registry.metrics()).toContain('bus_oldest_retry_seconds{queue="alpha.media-expired"} 3')
  ages.clear()
  expect(await registry.metrics()).not.toContain('bus_oldest_retry_seconds{')
})

test('when a queue is consumed, then its dead letters count from 0', async () => {
  countDeadLetters('beta.media-expired')
  expect(await registry.metrics()).toContain('bus_dead_letters_total{queue="beta.media-expired"} 0')
})

test.each([
  [200, 'done'],
  [401, 'refused'],
  [500, 'failed'],
])('when a webhook is answered with %d, then its time counts as %s', async (status, outcome) => {
  const app = express().post('/', timedWebhook('twilio'), (_request, response) => {
    response.sendStatus(status)
  })
  const server = app.listen(0)
  const { port } = server.address() as AddressInfo
  await axios.post(`http://127.0.0.1:${port}/`, undefined, { validateStatus: () => true })
  server.closeAllConnections()
  server.close()
  const text = await registry.metrics()
  expect(text).toContain(`webhook_duration_seconds_count{provider="twilio",outcome="${outcome}"} 1`)
})

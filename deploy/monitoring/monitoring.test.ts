import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { SERVICES } from '@voxscribe/contracts/events'
import { parse } from 'yaml'

const root = join(import.meta.dirname, '../..')
const textOf = (path: string) => readFileSync(join(import.meta.dirname, path), 'utf8')

interface Rule {
  alert: string
  expr: string
  labels: { severity: string }
  annotations: { summary: string }
}
const { groups } = parse(textOf('alerts.yml')) as { groups: { rules: Rule[] }[] }
const rules = groups.flatMap(group => group.rules)

interface Panel {
  id: number
  title: string
  targets?: { expr: string }[]
}
const dashboard = JSON.parse(textOf('grafana/dashboards/voxscribe.json')) as { panels: Panel[] }
const expressions = [
  ...rules.map(({ alert, expr }) => [alert, expr] as const),
  ...dashboard.panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => [title, expr] as const)),
]

/** Labels of every metric that the code creates, by name. */
const metrics = new Map(
  globSync(['packages/*/src/**/*.ts', 'services/*/src/**/*.ts'], { cwd: root })
    .filter(path => !path.endsWith('.test.ts'))
    .flatMap(path => [
      ...readFileSync(join(root, path), 'utf8').matchAll(
        /(?:counter|gauge|histogram)\(\{\s*name: '(\w+)',\s*help:[^}]*?(?:labelNames: \[([^\]]*)\]|buckets|collect|\})/gi,
      ),
    ])
    .map(([, name = '', labels = '']) => [name, labels.match(/\w+/g) ?? []]),
)
/** Metrics of Prometheus itself, prom-client's defaults and RabbitMQ. */
const FOREIGN = /^(up|process_\w+|nodejs_\w+|rabbitmq_\w+)$/

const namesIn = (expr: string) =>
  (expr.replace(/\{[^}]*\}|by \([^)]*\)/g, '').match(/\b[a-z]+(_[a-z0-9]+)+\b/g) ?? [])
    .filter(name => name !== 'histogram_quantile' && !name.startsWith('__') && !FOREIGN.test(name))
    .map(name => name.replace(/_(bucket|count|sum)$/, ''))

describe('dashboard and alerts', () => {
  test('when the code is read, then its metrics are found', () => {
    expect(metrics.size).toBeGreaterThan(10)
    expect(metrics.get('http_request_duration_seconds')).toContain('service')
  })

  test.each(expressions)('when %s asks for a metric, then the code makes it', (_title, expr) => {
    for (const name of namesIn(expr.replace('$__rate_interval', '5m')))
      expect([...metrics.keys()]).toContain(name)
  })

  test.each(expressions)('when %s tells apart by a label, then the metric has it', (_title, expr) => {
    const [name] = namesIn(expr)
    if (!name) return
    const known = [...(metrics.get(name) ?? []), 'le', 'job', 'app', 'instance']
    const grouped = [...expr.matchAll(/by \(([^)]*)\)/g)].flatMap(([, list = '']) => list.split(/,\s*/))
    const selected = [...expr.matchAll(/(\w+)=~?"/g)].map(([, label]) => label)
    expect(known).toEqual(expect.arrayContaining([...grouped, ...selected]))
  })

  test('when an alert fires, then it has severity and summary, and operations.md explains it', () => {
    const operations = readFileSync(join(root, 'docs/operations.md'), 'utf8')
    for (const { alert, labels, annotations } of rules) {
      expect(['warning', 'critical']).toContain(labels.severity)
      expect(annotations.summary).not.toBe('')
      expect(operations).toContain(`\`${alert}\``)
    }
  })

  test('when a panel is named, then only once', () => {
    const { panels } = dashboard
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length)
    expect(new Set(panels.map(({ title }) => title)).size).toBe(panels.length)
  })

  test('when Prometheus looks for services, then for all of them', () => {
    const { scrape_configs: jobs } = parse(textOf('prometheus.yml'))
    expect(jobs[0].dns_sd_configs[0].names.sort()).toEqual([...SERVICES].sort())
  })

  test('when a service is gone altogether, then it is missed', () => {
    const missing = rules.find(({ alert }) => alert === 'ServiceMissing')
    const missed = [...(missing?.expr.matchAll(/app="(\w+)"/g) ?? [])].map(([, app]) => app)
    expect(missed.sort()).toEqual([...SERVICES].sort())
  })
})

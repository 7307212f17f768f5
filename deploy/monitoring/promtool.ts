import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** Prometheus' own evaluation of rules; Debian's package `prometheus` has it. */
const PROMTOOL = '/usr/bin/promtool'
export const hasPromtool = existsSync(PROMTOOL)

/** The values that one look at the metrics found, by series with its labels. */
export type Scrape = Map<string, number>

const HEALTHY_MINUTES = 30
const MINUTES = 75
/** Of Prometheus' own process and ours: no rule asks for them. */
const LEFT_OUT = /^(nodejs|process)_/

/** Reads the metrics as a scrape by the job `voxscribe` does. */
export function readScrape(text: string): Scrape {
  const gauges = new Set([...text.matchAll(/^# TYPE (\w+) gauge$/gm)].map(([, name]) => name))
  const lines = [...text.matchAll(/^(\w+)(?:\{(.*)\})? (\S+)$/gm)].filter(
    ([, name = '']) => !LEFT_OUT.test(name),
  )
  return new Map(
    lines.map(([, name, labels, value]) => {
      const kind = gauges.has(name) ? 'gauge' : 'counter'
      const all = [labels, 'job="voxscribe"', `kind="${kind}"`].filter(Boolean).join(',')
      return [`${name}{${all}}`, Number(value)]
    }),
  )
}

/**
 * Returns the values of a series, a minute each: for half an hour each minute is like the one between the first two
 * scrapes, then comes the trouble between the second and the third, once or in every minute that is left.
 */
function valuesOf(series: string, [start, well, ill]: Scrape[], lasts: boolean): string {
  const isGauge = series.includes('kind="gauge"')
  const [a, b, c] = [start, well, ill].map(scrape => scrape?.get(series))
  let value = a
  return Array.from({ length: MINUTES + 1 }, (_, minute) => {
    const isIll = minute > HEALTHY_MINUTES
    const [from, to] = isIll ? [b, c] : [a, b]
    // What a process exposed and does not any more is stale at once.
    if (minute > 0 && to === undefined) value = undefined
    else if (minute > 0 && isGauge) value = to
    else if (minute > 0 && (!isIll || lasts || minute === HEALTHY_MINUTES + 1))
      value = (value ?? 0) + (to ?? 0) - (from ?? 0)
    return value ?? (from === undefined ? '_' : 'stale')
  }).join(' ')
}

/**
 * Returns the alerts that fire while all is well, and those that the trouble brings, by having Prometheus evaluate the
 * rules over what was scraped.
 */
export async function alertsOf(rulesFile: string, scrapes: [Scrape, Scrape, Scrape], lasts: boolean) {
  const folder = await mkdtemp(join(tmpdir(), 'voxscribe-alerts-'))
  try {
    const file = join(folder, 'test.json')
    const series = [...new Set(scrapes.flatMap(scrape => [...scrape.keys()]))]
    const firing = (minute: number, minutes: number) => ({
      expr: `group by (alertname) (max_over_time(ALERTS{alertstate="firing"}[${minutes - 1}m]))`,
      eval_time: `${minute}m`,
      exp_samples: [],
    })
    const test = {
      interval: '1m',
      input_series: series.map(name => ({ series: name, values: valuesOf(name, scrapes, lasts) })),
      promql_expr_test: [
        firing(HEALTHY_MINUTES, HEALTHY_MINUTES),
        firing(MINUTES, MINUTES - HEALTHY_MINUTES),
      ],
    }
    await writeFile(
      file,
      JSON.stringify({ rule_files: [rulesFile], evaluation_interval: '1m', tests: [test] }),
    )
    const told = await run('test', 'rules', file)
    // Each expectation is that nothing fires: what does is told as a failure.
    const found = [...told.matchAll(/time: (\w+),\s+exp: nil\s+got: (.*)/g)].map(
      ([, time = '', got = '']) =>
        [time, [...got.matchAll(/alertname="(\w+)"/g)].map(([, name]) => name).sort()] as const,
    )
    if (!found.length && !told.includes('SUCCESS')) throw new Error(told)
    const at = (time: string) => found.find(([when]) => when === time)?.[1] ?? []
    return { well: at('30m'), ill: at('1h15m') }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Returns what promtool prints, whether it is content or not. */
const run = (...args: string[]) =>
  promisify(execFile)(PROMTOOL, args).then(
    ({ stdout, stderr }) => stdout + stderr,
    ({ stdout, stderr, message }) => `${stdout}${stderr}` || message,
  )

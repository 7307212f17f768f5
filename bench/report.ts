import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { availableParallelism, cpus, totalmem } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { FigureResult, Goal, RowResult } from './row.ts'

const ROOT = join(import.meta.dirname, '..')
const run = promisify(execFile)

function short(value: number): string {
  if (Math.abs(value) >= 100) return value.toFixed(0)
  return Math.abs(value) >= 10 ? value.toFixed(1) : value.toFixed(2)
}

const withUnit = (value: number, unit: string) =>
  unit === '/s' ? `${short(value)}/s` : `${short(value)} ${unit}`

function goalOf(goal: Goal, unit: string): string {
  if ('ratioAtMost' in goal) return `≤ ${goal.ratioAtMost}x`
  if ('ratioAtLeast' in goal) return `≥ ${goal.ratioAtLeast}x`
  if ('addedAtMost' in goal) return `+ ≤ ${withUnit(goal.addedAtMost, unit)}`
  return `≤ ${withUnit(goal.atMost, unit)}`
}

function comparedOf({ goal, unit, compared, least, most }: FigureResult): string {
  if ('ratioAtMost' in goal || 'ratioAtLeast' in goal) {
    return `${short(compared)}x (${short(least)}–${short(most)})`
  }
  const sign = 'addedAtMost' in goal ? '+ ' : ''
  return `${sign}${withUnit(compared, unit)} (${short(least)}–${short(most)})`
}

function verdictOf(figure: FigureResult, voided: string | null) {
  if (voided) return 'void'
  return figure.met ? 'met' : 'missed'
}

/** Returns the lines of a row for a terminal. */
export function printed({ row, pairs, twins, figures, voided }: RowResult): string {
  const beside = twins === null ? '' : `, the baseline beside itself ${short(twins)}x`
  return [
    `${row.title} (${row.name}; ${pairs} pairs${beside})`,
    ...figures.map(figure => {
      const plain = figure.plain === null ? '' : ` beside ${withUnit(figure.plain, figure.unit)}`
      const goal = `goal ${goalOf(figure.goal, figure.unit)}: ${verdictOf(figure, voided)}`
      return `  ${figure.name}: ${withUnit(figure.ours, figure.unit)}${plain}, ${comparedOf(figure)}, ${goal}`
    }),
    ...(voided ? [`  void: ${voided}`] : []),
  ].join('\n')
}

export async function describeMachine(): Promise<string[]> {
  const first = async (command: string, ...args: string[]) =>
    (await run(command, args, { cwd: ROOT })).stdout.split('\n')[0]?.trim()
  const memory = `${Math.round(totalmem() / 2 ** 30)} GiB of memory`
  const changed = await first('git', 'status', '--porcelain', '--untracked-files=no')
  return [
    `- Machine: ${cpus()[0]?.model.trim()}, ${availableParallelism()} cores, ${memory}, ${process.platform}`,
    `- Versions: Node ${process.versions.node}, SQLite ${process.versions.sqlite}, ${(await first('ffmpeg', '-version'))?.replace(/ Copyright.*/, '')}`,
    `- Commit: ${await first('git', 'rev-parse', '--short', 'HEAD')}${changed ? ', with changes' : ''}, ${new Date().toISOString().slice(0, 10)}`,
  ]
}

function tableOf(results: RowResult[]): string[] {
  return results.flatMap(({ row, figures, voided, twins }) =>
    figures.length
      ? figures.map(figure => {
          const cells = [
            `${row.title}, ${figure.name}`,
            figure.before,
            withUnit(figure.ours, figure.unit),
            figure.plain === null ? '–' : withUnit(figure.plain, figure.unit),
            comparedOf(figure),
            twins === null ? '–' : short(twins),
            goalOf(figure.goal, figure.unit),
            verdictOf(figure, voided),
          ]
          return `| ${cells.join(' | ')} |`
        })
      : [`| ${row.title} | | | | | | | failed |`],
  )
}

/** Rows that the README names. */
const NAMED = ['note-3s', 'cpu', 'at-once']

function namedFigures(results: RowResult[]): string[] {
  return results
    .filter(({ row, voided }) => NAMED.includes(row.name) && !voided)
    .flatMap(({ row, figures }) =>
      figures.map(
        figure =>
          `- ${row.title}: ${withUnit(figure.ours, figure.unit)}; a script of plain parts: ${withUnit(figure.plain ?? 0, figure.unit)}`,
      ),
    )
}

/** Writes `docs/performance.md`, and the figures that the README names. */
export async function writePages(results: RowResult[], machine: string[]): Promise<void> {
  const all = results.flatMap(({ figures, voided }) => figures.map(figure => verdictOf(figure, voided)))
  const count = (verdict: string) => all.filter(each => each === verdict).length
  const reasons = results.flatMap(({ row, voided }) => (voided ? [`- ${row.title}: ${voided}`] : []))
  const missed = results.flatMap(({ row, figures, voided }) =>
    figures
      .filter(({ met }) => !met && !voided)
      .map(({ name, inTheWay = 'Not profiled yet.' }) => ({ what: `${row.title}, ${name}`, inTheWay })),
  )
  const byReason = [...Map.groupBy(missed, ({ inTheWay }) => inTheWay)].flatMap(([inTheWay, rows]) => [
    ...rows.map(({ what }) => `- ${what}`),
    '',
    inTheWay,
    '',
  ])
  const page = [
    '# Performance',
    '',
    'Written by `npm run bench -- --write`: the whole system as `npm start` runs it, measured from outside, beside a',
    'baseline of plain parts in the same run.',
    '',
    ...machine,
    `- Goals: ${count('met')} met, ${count('missed')} missed, ${count('void')} void`,
    '',
    'Medians of at least seven pairs, the baseline before and after each measurement of the system. *Compared* is the',
    'median of the pairs, with the least and the most. *Twins* is every other baseline over those in between: outside',
    '0.95 to 1.05 the machine was too restless, and the row counts for nothing.',
    '',
    '| what | before | today | baseline | compared | twins | goal | |',
    '|---|---|---|---|---|---|---|---|',
    ...tableOf(results),
    '',
    ...(missed.length ? ['## Missed goals', '', ...byReason] : []),
    ...(reasons.length ? ['## Void rows', '', ...reasons, ''] : []),
    '## Baselines',
    '',
    ...results.map(({ row }) => `- ${row.title}: ${row.baseline}`),
    '',
  ]
  await writeFile(join(ROOT, 'docs/performance.md'), page.join('\n'))
  const named = [
    ...namedFigures(results),
    '',
    'Every figure, and how it is measured: [docs/performance.md](docs/performance.md).',
  ]
  const readme = await readFile(join(ROOT, 'README.md'), 'utf8')
  await writeFile(
    join(ROOT, 'README.md'),
    readme.replace(/(<!-- figures -->\n)[\s\S]*?(<!-- \/figures -->)/, (_all, start, end) =>
      [start.trim(), '', ...named, '', end].join('\n'),
    ),
  )
  await format('docs/performance.md', 'README.md')
}

/** Lays written pages out as `npm run check` wants them. */
export const format = (...pages: string[]) =>
  run(join(ROOT, 'node_modules/.bin/biome'), ['format', '--write', ...pages], { cwd: ROOT })

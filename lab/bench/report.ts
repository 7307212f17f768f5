import { execFile } from 'node:child_process'
import { availableParallelism, cpus, totalmem } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { table, writeBetween, writePage } from './pages.ts'
import type { FigureResult, Goal, Measured, Row } from './row.ts'

const ROOT = join(import.meta.dirname, '../..')
/** Rows that the README shows. */
const NAMED = ['note-3s', 'cpu', 'at-once']
const run = promisify(execFile)

interface RowResult {
  row: Row
  measured: Measured
}

function short(value: number): string {
  if (Math.abs(value) >= 100) return value.toFixed(0)
  return Math.abs(value) >= 10 ? value.toFixed(1) : value.toFixed(2)
}

const withUnit = (value: number, unit: string) =>
  unit === '/s' ? `${short(value)}/s` : `${short(value)} ${unit}`.trim()

function goalOf(goal: Goal, unit: string): string {
  if ('ratioAtMost' in goal) return `≤ ${goal.ratioAtMost}x`
  if ('ratioAtLeast' in goal) return `≥ ${goal.ratioAtLeast}x`
  if ('addedAtMost' in goal) return `+ ≤ ${withUnit(goal.addedAtMost, unit)}`
  return 'atLeast' in goal ? `≥ ${withUnit(goal.atLeast, unit)}` : `≤ ${withUnit(goal.atMost, unit)}`
}

function comparedOf({ goal, unit, compared, least, most }: FigureResult): string {
  const range = `(${short(least)}–${short(most)})`
  if ('ratioAtMost' in goal || 'ratioAtLeast' in goal) return `${short(compared)}x ${range}`
  return `${'addedAtMost' in goal ? '+ ' : ''}${withUnit(compared, unit)} ${range}`
}

function verdictOf(figure: FigureResult, voided: string | null) {
  if (voided) return 'void'
  return figure.met ? 'met' : 'missed'
}

/** Formats a row's figures for a terminal. */
export function printed(row: Row, { pairs, twins, figures, voided }: Measured): string {
  return [
    `${row.title} (${row.name}; ${pairs} pairs${twins === null ? '' : `, A/A ${short(twins)}x`})`,
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
  const commit = `${await first('git', 'rev-parse', '--short', 'HEAD')}${changed ? ', with changes' : ''}`
  return [
    `- Machine: ${cpus()[0]?.model.trim()}, ${availableParallelism()} cores, ${memory}, ${process.platform}`,
    `- Versions: Node ${process.versions.node}, SQLite ${process.versions.sqlite}, ${(await first('ffmpeg', '-version'))?.replace(/ Copyright.*/, '')}`,
    `- Commit: ${commit}, ${new Date().toISOString().slice(0, 10)}`,
  ]
}

const tableOf = (results: RowResult[]): string[] =>
  table(
    ['what', 'today', 'baseline', 'compared', 'A/A', 'goal', ''],
    results.flatMap(({ row, measured: { figures, voided, twins } }) =>
      figures.length
        ? figures.map(figure => [
            `${row.title}: ${figure.name}`,
            withUnit(figure.ours, figure.unit),
            figure.plain === null ? '–' : withUnit(figure.plain, figure.unit),
            comparedOf(figure),
            twins === null ? '–' : short(twins),
            goalOf(figure.goal, figure.unit),
            verdictOf(figure, voided),
          ])
        : [[row.title, '–', '–', '–', '–', '–', 'void']],
    ),
  )

const namedFigures = (results: RowResult[]): string[] =>
  results
    .filter(({ row, measured }) => NAMED.includes(row.name) && !measured.voided)
    .map(({ row, measured: { figures } }) => {
      const { ours, plain, unit } = figures[0]!
      return `- ${row.title}: ${withUnit(ours, unit)}; a plain program: ${withUnit(plain ?? 0, unit)}`
    })

/** Returns a list of remarks about rows; rows with the same remark are named together. */
const listed = (results: RowResult[], said: (row: Row) => string): string[] =>
  [...Map.groupBy(results, ({ row }) => said(row))].map(
    ([text, its]) => `- **${its.map(({ row }) => row.title).join('**, **')}**: ${text}`,
  )

/** Writes `docs/performance.md`, and the figures in the README. */
export async function writePages(results: RowResult[], machine: string[]): Promise<void> {
  const missed = results.filter(
    ({ measured: { figures, voided } }) => !voided && figures.some(({ met }) => !met),
  )
  const voided = results.filter(({ measured }) => measured.voided)
  const page = [
    '# Performance',
    '',
    'Written by `npm run bench -- --write`: the whole system as `npm start` runs it, measured from outside, beside a',
    'baseline of plain parts in the same run.',
    '',
    ...machine,
    '',
    'Medians of at least seven pairs, the baseline before and after each measurement of the system. *Compared* is the',
    'median of the pairs, with the least and the most. *A/A* compares the baseline with itself (every other measurement',
    'over those in between): outside 0.95 to 1.05 the machine was too busy, and the row does not count.',
    '',
    ...tableOf(results),
    '',
    ...(missed.length ? ['## Missed goals', ''] : []),
    ...listed(missed, row => row.inTheWay ?? 'Not profiled yet.'),
    '',
    ...(voided.length ? ['## Void rows', ''] : []),
    ...voided.map(({ row, measured }) => `- ${row.title}: ${measured.voided}`),
    '',
    '## Baselines',
    '',
    ...listed(results, row => row.baseline),
    '',
  ]
  await writePage('docs/performance.md', page.join('\n'))
  const link = 'Every figure, and how it is measured: [docs/performance.md](docs/performance.md).'
  await writeBetween('README.md', { figures: [...namedFigures(results), '', link] })
}

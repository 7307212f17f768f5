import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLog } from './log.ts'
import { openLogFile } from './log-file.ts'
import { registry } from './metrics.ts'

const folder = mkdtempSync(join(tmpdir(), 'log-file-'))
afterAll(() => rmSync(folder, { recursive: true }))

async function dropped() {
  const { values } = (await registry.getSingleMetric('log_lines_dropped_total')!.get()) as {
    values: { value: number }[]
  }
  return values[0]!.value
}

test('when the disk is full, then the process lives, and the lines that it drops are counted', async () => {
  const log = createLog('auth', 'info', '/dev/full')
  for (let line = 0; line < 300; line++) log.info({ filling: 'x'.repeat(10_000) }, 'a line')
  expect(await dropped()).toBeGreaterThan(150)
})

test('when a log has grown to its size, then a new one begins, and five older ones stay', () => {
  const path = join(folder, 'logs/voxscribe.log')
  const stream = openLogFile(path, 1_000)
  const line = (n: number) => `${JSON.stringify({ n, filling: 'x'.repeat(90) })}\n`
  for (let n = 0; n < 200; n++) stream.write(line(n))
  const names = readdirSync(join(folder, 'logs')).sort()
  expect(names).toEqual(['voxscribe.log', ...[1, 2, 3, 4, 5].map(age => `voxscribe.log.${age}`)])
  const lines = [...names.slice(1).reverse(), names[0]!].flatMap(name =>
    readFileSync(join(folder, 'logs', name), 'utf8')
      .trim()
      .split('\n')
      .filter(Boolean),
  )
  const numbers = lines.map(each => JSON.parse(each).n)
  expect(numbers).toEqual(Array.from({ length: numbers.length }, (_, at) => 200 - numbers.length + at))
  for (const name of names) expect(statSync(join(folder, 'logs', name)).mode & 0o077).toBe(0)
})

test('when a log of an earlier start is over its size, then it is the first to go', () => {
  const path = join(folder, 'large.log')
  openLogFile(path, 10_000).write('x'.repeat(5_000))
  const stream = openLogFile(path, 1_000)
  for (const text of ['before\n', 'after\n']) stream.write(text)
  expect(readFileSync(path, 'utf8')).toBe('after\n')
})

import type { Model } from './table.ts'

const CLEAR_LINE = '\r\x1b[2K'

/** Shows how far a download is: a bar on a terminal, a line for each tenth elsewhere. */
export function createProgress() {
  const out = process.stdout
  const [before, after, steps] = out.isTTY ? [CLEAR_LINE, '', 30] : ['• ', '\n', 10]
  let shown = 0
  return {
    say(line: string) {
      shown = 0
      out.write(`${out.isTTY ? CLEAR_LINE : ''}• ${line}\n`)
    },
    progress({ name, megabytes }: Model, share: number) {
      const full = Math.floor(share * steps)
      if (full === shown) return
      shown = full
      const bar = `[${'#'.repeat(full).padEnd(steps, '.')}]`
      out.write(`${before}${name} ${bar} ${Math.floor(share * 100)} % of ${megabytes} MB${after}`)
    },
  }
}

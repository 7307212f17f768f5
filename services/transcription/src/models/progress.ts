import type { Model } from './table.ts'

const WIDTH = 30
/** Off a terminal a line is written at each of these shares. */
const STEP = 0.1

/** Shows how far a download is: a bar on a terminal, a line now and then elsewhere. */
export function createProgress() {
  const out = process.stdout
  let shown = ''
  let last = 0
  const clear = () => {
    if (out.isTTY && shown) out.write(`\r${' '.repeat(shown.length)}\r`)
    shown = ''
  }
  return {
    say(line: string) {
      clear()
      last = 0
      out.write(`• ${line}\n`)
    },
    progress({ name, megabytes }: Model, share: number) {
      const text = `${Math.floor(share * 100)} % of ${megabytes} MB`
      if (!out.isTTY) {
        if (share < last + STEP) return
        last = share
        out.write(`• ${name}: ${text}\n`)
        return
      }
      const full = Math.round(share * WIDTH)
      const bar = `${name} [${'#'.repeat(full)}${'.'.repeat(WIDTH - full)}] ${text}`
      if (bar === shown) return
      out.write(`\r${bar.padEnd(shown.length)}`)
      shown = bar
    },
  }
}

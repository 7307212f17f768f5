import { existsSync } from 'node:fs'
import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * A program that replaces pocketsphinx. It records each run, waits while held, fails while broken, and prints what it
 * is told to. It only uses the shell, because a test file has hundreds of runs, and each `cat` is a process.
 */
export async function fakeSphinx(folder: string) {
  const command = join(folder, 'fake-sphinx')
  const file = (name: string) => join(folder, `fake-${name}`)
  await writeFile(
    command,
    `#!/bin/sh
echo $$ >> ${file('runs')}
run=0
while read -r _; do run=$((run + 1)); done < ${file('runs')}
while [ -e ${file('held')} ] && [ ! -e ${file('pass')}/$run ]; do sleep 0.05; done
if [ -e ${file('broken')} ]; then echo broken >&2; exit 3; fi
last=$run
if [ -e ${file('last')} ]; then read -r last < ${file('last')}; fi
if [ $run -gt $last ]; then echo broken >&2; exit 3; fi
if [ -e ${file('slow')} ]; then read -r seconds < ${file('slow')}; sleep $seconds; fi
while read -r line; do echo "$line"; done < ${file('output')}
`,
  )
  await chmod(command, 0o755)
  const says = (...words: string[]) =>
    writeFile(file('output'), words.map((word, at) => `${word} ${at}.000 ${at + 1}.000 0.500000\n`).join(''))
  await says('hello', 'world')
  return {
    command,
    says,
    /** Blocks all runs from now on, including those that were let pass before. */
    async hold() {
      await rm(file('pass'), { recursive: true, force: true })
      await mkdir(file('pass'))
      await writeFile(file('held'), '')
    },
    release: () => rm(file('held'), { force: true }),
    /** Releases only this run; the first is 1. */
    letPass: (run: number) => writeFile(join(file('pass'), `${run}`), ''),
    breakDown: () => writeFile(file('broken'), ''),
    repair: () => Promise.all(['broken', 'last'].map(name => rm(file(name), { force: true }))),
    /** Works for this many runs, then fails. */
    breakDownAfter: (runs: number) => writeFile(file('last'), `${runs}\n`),
    slowDown: (seconds: number) => writeFile(file('slow'), `${seconds}\n`),
    /** Process ids of the runs so far; an empty file has none. */
    pids: async () => (await readFile(file('runs'), 'utf8')).split('\n').filter(Boolean).map(Number),
    runs: async () =>
      existsSync(file('runs')) ? (await readFile(file('runs'), 'utf8')).trim().split('\n').length : 0,
  }
}

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { appendFile, rename, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Logger } from 'pino'
import type { DeadLetter } from './bus.ts'
import { createOneByOne } from './one-by-one.ts'

export type DeadLetterStore = ReturnType<typeof openDeadLetters>

/** Opens the dead letters: in memory and, if there is a file, one JSON line each on disk. */
export function openDeadLetters({
  file,
  log,
  isOver,
}: {
  file?: string
  log: Logger
  isOver(letter: DeadLetter): boolean
}) {
  let letters = file ? readLetters(file, log) : []
  const turns = createOneByOne()
  const inTurn = (write: () => Promise<void>) => turns('file', write)
  const keep = (isKept: (letter: DeadLetter) => boolean) => {
    letters = letters.filter(isKept)
    // Letters added before its turn are written in a later turn.
    const text = letters.map(line).join('')
    return inTurn(async () => {
      if (!file) return
      await writeFile(`${file}.new`, text, { flush: true })
      await rename(`${file}.new`, file)
    })
  }
  return {
    /** Resolves once the letter is on disk. */
    add(letter: DeadLetter): Promise<void> {
      letters.push(letter)
      return inTurn(async () => {
        if (file) await appendFile(file, line(letter), { flush: true })
      })
    },
    remove: (letter: DeadLetter) => keep(kept => kept !== letter),
    drop: (isSuch: (letter: DeadLetter) => boolean) =>
      letters.some(isSuch) ? keep(letter => !isSuch(letter)) : Promise.resolve(),
    /** Oldest first, without expired ones. */
    all: () => letters.filter(letter => !isOver(letter)),
    expire: () => (letters.some(isOver) ? keep(letter => !isOver(letter)) : Promise.resolve()),
    /** Resolves once everything is written. */
    settled: () => inTurn(async () => {}),
  }
}

const line = (letter: DeadLetter) => `${JSON.stringify(letter)}\n`

function readLetters(file: string, log: Logger): DeadLetter[] {
  mkdirSync(dirname(file), { recursive: true })
  if (!existsSync(file)) return []
  const letters: DeadLetter[] = []
  let torn = false
  for (const text of readFileSync(file, 'utf8').split('\n').filter(Boolean)) {
    try {
      letters.push(JSON.parse(text))
    } catch {
      // A crash during a write leaves a partial line; its event is still in the outbox.
      torn = true
      log.warn({ file }, 'Skipped a dead letter that was cut off')
    }
  }
  if (torn) writeFileSync(file, letters.map(line).join(''))
  return letters
}

import { text } from 'node:stream/consumers'
import { type Bounds, runProgram } from './audio/program.ts'

/** Runs a program and returns what it printed. Killed when the signal says so; throws when it ends with an error. */
export async function runCommand(
  command: string,
  args: string[],
  signal: AbortSignal,
  bounds?: Bounds,
): Promise<string> {
  const { stdout, ended } = runProgram(command, args, signal, bounds)
  const [printed] = await Promise.all([text(stdout), ended])
  return printed
}

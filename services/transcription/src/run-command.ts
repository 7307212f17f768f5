import { text } from 'node:stream/consumers'
import { runProgram } from './audio/program.ts'

/** Runs a program and returns what it printed. Killed when the signal says so; throws when it ends with an error. */
export async function runCommand(command: string, args: string[], signal: AbortSignal): Promise<string> {
  const { stdout, ended } = runProgram(command, args, signal)
  const [printed] = await Promise.all([text(stdout), ended])
  return printed
}

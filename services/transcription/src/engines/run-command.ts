import { spawn } from 'node:child_process'

const STDERR_KEPT = 2_000

/** Runs a program and answers what it printed. Killed when the signal says so; throws when it ends with an error. */
export function runCommand(command: string, args: string[], signal: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], signal, killSignal: 'SIGKILL' })
    let stdout = ''
    let stderr = ''
    child.stdout.setEncoding('utf8').on('data', text => {
      stdout += text
    })
    child.stderr.setEncoding('utf8').on('data', text => {
      stderr = (stderr + text).slice(-STDERR_KEPT)
    })
    child.on('error', error => reject(signal.aborted ? signal.reason : error))
    child.on('close', (code, killedBy) => {
      if (code === 0) resolve(stdout)
      else if (signal.aborted) reject(signal.reason)
      else reject(new Error(`${command} ended with ${killedBy ?? code}: ${stderr}`))
    })
  })
}

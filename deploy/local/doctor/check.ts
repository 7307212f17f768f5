import { setTimeout as wait } from 'node:timers/promises'
import { type Check, type Finding, skipped, wrong } from '@voxscribe/service'

const TIMEOUT_MS = 15_000

/** Runs checks concurrently, each for at most 15 s. Returns one line per check, in their order, without the secrets. */
export async function examine(checks: Check[], secrets: string[], timeoutMs = TIMEOUT_MS) {
  const findings = new Map<string, Promise<Finding>>()
  async function find({ after, next, look }: Check): Promise<Finding> {
    for (const name of after)
      if ((await findings.get(name))?.state !== 'ok') return skipped(`${name} comes first`)
    const late = wrong(`no answer in ${timeoutMs / 1000} s`, next)
    const found = look().catch(error => wrong(sentenceOf(error), next))
    return Promise.race([found, wait(timeoutMs, late, { ref: false })])
  }
  for (const each of checks) findings.set(each.name, find(each))
  const hide = (text: string) => secrets.reduce((shown, secret) => shown.replaceAll(secret, '[hidden]'), text)
  return Promise.all(
    [...findings].map(async ([name, finding]) => {
      const { state, saw, next } = await finding
      return { name, state, saw: hide(saw), next }
    }),
  )
}

/** Returns the fault in one line. A failed connection to several addresses has its message only in `errors`. */
function sentenceOf({ message, cause, errors }: Error & { errors?: Error[] }): string {
  const why = cause instanceof Error ? `: ${sentenceOf(cause)}` : ''
  return `${message || errors?.[0]?.message}${why}`.replaceAll(/\s+/g, ' ').slice(0, 300)
}

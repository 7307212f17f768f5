import { readFileSync } from 'node:fs'
import express from 'express'
import { z } from 'zod'

export type Environment = Record<string, string | undefined>

/** Ends the start with one line for each wrong setting. */
export class SettingsError extends Error {
  readonly problems: string[]

  constructor(problems: string[]) {
    super(`These settings are wrong:\n${problems.map(problem => `  ${problem}`).join('\n')}`)
    this.name = 'SettingsError'
    this.problems = problems
  }
}

/** Checks the settings of several parts of one process. Throws one SettingsError that names each wrong one once. */
export function checkSettings(parts: { settings: z.ZodType; env: Environment }[]): void {
  const problems = parts.flatMap(({ settings, env }) => read(settings, env).problems)
  if (problems.length) throw new SettingsError([...new Set(problems)])
}

/**
 * Reads settings and trims them. An empty setting is unset; `NAME_FILE` names a file with the value. Throws a
 * SettingsError with all faults.
 */
export function readSettings<Schema extends z.ZodType>(schema: Schema, env: Environment): z.output<Schema> {
  const { data, problems } = read(schema, env)
  if (problems.length) throw new SettingsError(problems)
  return data as z.output<Schema>
}

function read(schema: z.ZodType, env: Environment) {
  // Editors, `echo … | base64` and quotes in `.env` add line breaks and spaces that aren't part of a secret.
  const trimmed = Object.entries(env).map(([name, value]) => [name, value?.trim()] as const)
  const given = Object.fromEntries(trimmed.filter(([, value]) => value))
  const { values, problems } = readFiles(Object.keys(shapeOf(schema)), given)
  // Compiling a parser takes longer than reading settings without one.
  const { data, error } = schema.safeParse({ ...values, ...given }, { jitless: true })
  const wrong = error?.issues.map(issue => `${issue.path.join('.')}: ${issue.message}`) ?? []
  return { data, problems: [...new Set([...problems, ...wrong])] }
}

/** Returns the settings of a schema by name, without its later checks and transformations. */
export function shapeOf(schema: z.core.$ZodType): Record<string, z.ZodType> {
  if (schema instanceof z.ZodObject) return schema.shape
  return schema instanceof z.ZodPipe ? shapeOf(schema.in) : {}
}

/** Returns the values in files, each named by `NAME_FILE` if the setting itself is unset, and the problems. */
export function readFiles(names: string[], given: Environment) {
  const values: Environment = {}
  const problems: string[] = []
  for (const name of names) {
    const path = given[`${name}_FILE`]
    if (!path || given[name]) continue
    try {
      values[name] = readFileSync(path, 'utf8').trim() || undefined
    } catch (error) {
      problems.push(`${name}_FILE: cannot be read (${(error as NodeJS.ErrnoException).code})`)
    }
  }
  return { values, problems }
}

const UNITS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

function millisecondsOf(text: string): number {
  const [, amount = '0', unit = 'ms'] = /^(\d+)(\D+)$/.exec(text) ?? []
  return Number(amount) * UNITS[unit as keyof typeof UNITS]
}

/** A duration such as `2s`, `15m` or `30d`, in milliseconds. A Node timer for more than 24 days fires at once. */
export const duration = (fallback: string, longest = '24d') =>
  z
    .string()
    .regex(/^0*[1-9]\d*(ms|s|m|h|d)$/, 'must be a duration such as 2s, 15m or 30d')
    .refine(text => millisecondsOf(text) <= millisecondsOf(longest), `must be at most ${longest}`)
    .default(fallback)
    .transform(millisecondsOf)

/** A whole number; default minimum: 1. */
export const whole = (fallback: number, { min = 1, max = Number.MAX_SAFE_INTEGER } = {}) =>
  z.coerce
    .number('must be a whole number')
    .pipe(
      z.int('must be a whole number').min(min, `must be at least ${min}`).max(max, `must be at most ${max}`),
    )
    .default(fallback)

/** A TCP port; 0 takes any free one. */
export const port = (fallback: number) => whole(fallback, { min: 0, max: 65_535 })
/** An address to listen on; an IPv6 address may be in brackets, as in a URL. */
export const host = (fallback: string) =>
  z
    .string()
    .default(fallback)
    .transform(text => text.trim().replace(/^\[(.*)\]$/, '$1'))
export const onOff = (fallback: 'on' | 'off') =>
  z
    .enum(['on', 'off'], 'must be on or off')
    .default(fallback)
    .transform(value => value === 'on')
/** An http or https address, with or without a path. */
export const url = z.url({ protocol: /^https?$/, error: 'must be an http or https address', abort: true })
/** An address without a path, to which a provider's API version is appended. */
export const origin = url
  .refine(text => new URL(text).pathname === '/', 'must be an origin only, such as https://example.com')
  .transform(text => new URL(text).origin)

/** Origins separated by commas. */
export const origins = z
  .string()
  .default('')
  .transform(text =>
    text
      .split(',')
      .map(part => part.trim())
      .filter(Boolean),
  )
  .pipe(z.array(origin))

/** A rate such as `10/15m`: this many points within this time. */
export const rate = (fallback: string) =>
  z
    .string()
    .regex(/^[1-9]\d*\/[1-9]\d*(s|m|h|d)$/, 'must be a rate such as 10/15m')
    .default(fallback)
    .transform(text => {
      const [points = '', span = ''] = text.split('/')
      return { points: Number(points), seconds: millisecondsOf(span) / 1000 }
    })
export type Rate = z.output<ReturnType<typeof rate>>

/** A PEM, or one in base64, since not every environment variable can hold line breaks. */
export const pem = z
  .string()
  .transform(text =>
    text.includes('-----BEGIN') ? text.replaceAll('\\n', '\n') : Buffer.from(text, 'base64').toString('utf8'),
  )
  .refine(text => text.includes('-----BEGIN'), { error: 'must be a PEM or base64 of one', abort: true })

/** Express' `trust proxy`: a number of hops, `true`, `false`, or addresses. */
export const trustProxy = z
  .string()
  .default('false')
  .transform(text =>
    /^\d+$/.test(text) ? Number(text) : text === 'true' ? true : text === 'false' ? false : text,
  )
  .refine(isTrustProxy, 'must be a number of hops, true, false, or addresses and networks by commas')

/** Express throws for values that it does not understand. */
function isTrustProxy(value: number | boolean | string): boolean {
  try {
    express().set('trust proxy', value)
    return true
  } catch {
    return false
  }
}

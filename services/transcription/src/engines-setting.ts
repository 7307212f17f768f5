import { readFileSync } from 'node:fs'
import { duration, readFiles } from '@voxscribe/service'
import { EngineEntry, isHostedKind, KINDS } from '@voxscribe/speech'
import { z } from 'zod'

const Entry = EngineEntry.extend({
  kind: z.enum(Object.keys(KINDS), `must be one of ${Object.keys(KINDS).join(', ')}`),
  keyEnv: z.string().min(1, 'is empty').optional(),
  timeout: z
    .string('must be a duration such as 2m')
    .pipe(duration('5m') as z.ZodType<number, string>)
    .optional(),
}).superRefine(({ kind, url, key, keyEnv, model }, context) => {
  const wrong = (field: string, message: string) =>
    context.addIssue({ code: 'custom', path: [field], message })
  if (!isHostedKind({ kind })) {
    for (const [field, value] of Object.entries({ url, key, keyEnv }))
      if (value) wrong(field, `is not for ${kind}, which runs on this machine`)
    return
  }
  if (!model) wrong('model', 'is needed')
  if (key && keyEnv) wrong('keyEnv', 'cannot be set beside key')
  if (!key && !keyEnv && !url) wrong('key', 'is needed, or keyEnv')
})

/** An engine as written in the setting, before its key is looked up. */
type Entry = z.output<typeof Entry>

/** Reports a problem with the setting. */
type Wrong = (message: string) => void

/** Parses the JSON, or the file that holds it. Messages never quote it: it may contain keys. */
function listIn(text: string, wrong: Wrong): unknown {
  let json = text.trim()
  try {
    if (!/^[[{]/.test(json)) json = readFileSync(json, 'utf8')
  } catch (error) {
    return wrong(`is neither JSON nor a file that can be read (${(error as NodeJS.ErrnoException).code})`)
  }
  try {
    return JSON.parse(json)
  } catch {
    return wrong('is not JSON')
  }
}

/** `entry 2 (groq), url: must be …` */
function sentenceOf({ path: [at, field], message, ...issue }: z.core.$ZodIssue, list: unknown): string {
  if (at === undefined) return 'must be a list of at least one engine'
  const { name } = Object((list as unknown[])[Number(at)])
  const place = `entry ${Number(at) + 1}${typeof name === 'string' ? ` (${name.slice(0, 40)})` : ''}`
  if (issue.code === 'unrecognized_keys' && 'keys' in issue)
    return `${place}, ${(issue.keys as string[]).join(', ')}: is unknown`
  return field === undefined ? `${place}: must be an object` : `${place}, ${String(field)}: ${message}`
}

/** The setting ENGINES. The keys that it names by `keyEnv` are in the environment. */
export const enginesSetting = z
  .string()
  .transform((text, context): Entry[] => {
    const wrong: Wrong = message => context.addIssue({ code: 'custom', message })
    const list = listIn(text, wrong)
    if (list === undefined) return z.NEVER
    const { data = [], error } = z.array(Entry).min(1).safeParse(list)
    for (const issue of error?.issues ?? []) wrong(sentenceOf(issue, list))
    for (const [at, { name }] of data.entries())
      if (data.findIndex(each => each.name === name) < at)
        wrong(`entry ${at + 1} (${name}), name: is there twice`)
    return data
  })
  .optional()

type Environment = Readonly<Record<string, unknown>>

/** Returns the key, or the value of the variable in `keyEnv`, for which `…_FILE` may name a file, as for a setting. */
function keyOf({ key, keyEnv }: Entry, env: Environment) {
  if (key || !keyEnv) return { key }
  // Variables that are not settings are still plain text.
  const texts = env as Record<string, string | undefined>
  const { values, problems } = readFiles([keyEnv], texts)
  return { key: texts[keyEnv] || values[keyEnv], problem: problems[0] ?? `${keyEnv} is not set` }
}

/** Reports problems with the variables that `keyEnv` names. */
export function checkKeys(list: Entry[], env: Environment, wrong: Wrong): void {
  for (const [at, entry] of list.entries()) {
    const { key, problem } = keyOf(entry, env)
    if (!key && problem) wrong(`entry ${at + 1} (${entry.name}), keyEnv: ${problem}`)
  }
}

export const withKeys = (list: Entry[], env: Environment): Entry[] =>
  list.map(entry => ({ ...entry, key: keyOf(entry, env).key }))

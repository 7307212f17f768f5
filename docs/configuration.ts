import { shapeOf } from '@voxscribe/service'
import { z } from 'zod'
import { table } from './table.ts'

interface Setting {
  description: string
  fallback: string
  readers: string[]
}

const INTRODUCTION = `# Configuration

Settings are environment variables, read once at the start. A wrong one stops the start with a list of what is wrong.
An empty variable, or one of spaces, counts as unset; spaces and line breaks around a value are dropped. Durations are written \`500ms\`, \`2s\`, \`15m\`, \`12h\` or \`30d\`, rates \`10/15m\`.
\`npm start\` and the commands for operators also take those of \`.env\`, or of the file that
\`ENV_FILE\` names, unless the environment has them.
Any setting can be read from a file instead: \`NAME_FILE=/run/secrets/name\`.

This page is made from the schemas in the code (\`npm run docs\`).
`

type Schemas = Record<string, z.ZodType>

/** Every setting of every part, once, by name. Throws when one has no description, or two parts describe it differently. */
export function configurationPage(services: Schemas, others: Schemas): string {
  const settings = new Map<string, Setting>()
  for (const [reader, schema] of Object.entries({ ...services, ...others })) {
    for (const [name, property] of Object.entries(shapeOf(schema))) {
      const { description } = property
      const known = settings.get(name)
      // The one-process start looks at some settings of the services, which describe them.
      if (!description && known) continue
      if (!description) throw new Error(`${name} of ${reader} has no description`)
      if (known && known.description !== description) throw new Error(`${name} is described in two ways`)
      settings.set(name, {
        description,
        fallback: fallbackOf(property),
        readers: [...(known?.readers ?? []), reader],
      })
    }
  }
  const rows = [...settings]
    .sort(([a], [b]) => a.localeCompare(b, 'en'))
    .map(([name, { description, fallback, readers }]) => [
      `\`${name}\``,
      fallback,
      readersOf(readers, Object.keys(services)),
      description,
    ])
  return `${INTRODUCTION}\n${table([['name', 'default', 'read by', 'what it does'], ...rows])}\n`
}

function readersOf(readers: string[], services: string[]): string {
  const missing = services.filter(service => !readers.includes(service))
  if (!missing.length) return 'all services'
  return missing.length === 1 ? `all but ${missing[0]}` : readers.join(', ')
}

/** Returns the default as written in the schema; `meta.fallback` says it where it depends. */
function fallbackOf(property: z.ZodType): string {
  const { fallback } = property.meta() ?? {}
  if (typeof fallback === 'string') return fallback
  if (property instanceof z.ZodDefault)
    return property.def.defaultValue === '' ? '' : `\`${property.def.defaultValue}\``
  return property instanceof z.ZodPipe ? fallbackOf(property.in as z.ZodType) : ''
}

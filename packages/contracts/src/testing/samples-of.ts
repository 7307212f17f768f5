import { z } from 'zod'

type Schema = z.core.$ZodType

/** Sample texts: each text field of the events accepts at least one. */
const TEXTS = [
  'text',
  '4f6a1c1e-8f0b-4b57-9d83-0d8f6f5a4f10',
  '2026-11-24T12:00:00.000Z',
  '2026-11-24',
  'ada@example.com',
  'https://example.com/page',
  '491511234567',
  'DE',
  'ab'.repeat(32),
]

const defOf = (schema: Schema) => (schema as z.core.$ZodTypes)._zod.def

/**
 * Returns values of a schema. The first has all fields; each other one differs from it in one field, which has another
 * value of its enumeration, another option of its union, or is absent.
 */
export function samplesOf(schema: Schema): unknown[] {
  const def = defOf(schema)
  switch (def.type) {
    case 'object': {
      const fields = Object.entries(def.shape).map(([name, field]) => [name, samplesOf(field)] as const)
      const first = Object.fromEntries(fields.map(([name, [sample]]) => [name, sample]))
      const others = fields.flatMap(([name, [, ...more]]) =>
        more.map(sample => ({ ...first, [name]: sample })),
      )
      return [first, ...others]
    }
    case 'array':
      return samplesOf(def.element).map(sample => [sample])
    case 'optional':
      return [...samplesOf(def.innerType), undefined]
    case 'nullable':
      return [...samplesOf(def.innerType), null]
    case 'default':
      return samplesOf(def.innerType)
    case 'pipe':
      return samplesOf(def.out)
    case 'union':
      return def.options.flatMap(samplesOf)
    case 'enum':
      return Object.values(def.entries)
    case 'literal':
      return [...def.values]
    case 'record':
      return [{ fact: 1 }]
    case 'boolean':
      return [true, false]
    case 'number':
      return [1]
    case 'string':
      return [TEXTS.find(text => z.safeParse(schema, text).success)]
    case 'null':
      return [null]
    case 'unknown':
      return ['text']
    default:
      throw new Error(`There is no sample of ${def.type}`)
  }
}

/** Returns the paths in a value that lead to an enumeration's values. */
export function enumeratedIn(schema: Schema, value: unknown, path: string[] = []): string[][] {
  const def = defOf(schema)
  const inside = (field: Schema, key: string) => enumeratedIn(field, Object(value)[key], [...path, key])
  if (value === undefined || value === null) return []
  switch (def.type) {
    case 'object':
      return Object.entries(def.shape).flatMap(([key, field]) => inside(field, key))
    case 'array':
      return Object.keys(value).flatMap(key => inside(def.element, key))
    case 'optional':
    case 'nullable':
    case 'default':
      return enumeratedIn(def.innerType, value, path)
    case 'pipe':
      return enumeratedIn(def.out, value, path)
    case 'union':
      return enumeratedIn(def.options.find(option => z.safeParse(option, value).success)!, value, path)
    case 'enum':
    case 'literal':
      return [path]
    default:
      return []
  }
}

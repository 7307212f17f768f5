import { Router } from 'express'
import { z } from 'zod'
import { type Database, openObjects } from './database.ts'
import { check } from './input.ts'

/** How many of the next calls have the fault. */
export const calls = z.int().min(0).max(1_000_000).default(0)

export type Faults<Schema extends z.ZodObject> = ReturnType<typeof createFaults<Schema>>

/** Switches for faults; stored, so that they survive a restart. */
export function createFaults<Schema extends z.ZodObject>(db: Database, name: string, schema: Schema) {
  const stored = openObjects<{ faults: { object: 'faults'; id: string } }>(db)
  const read = () => schema.parse(stored.find('faults', name) ?? {})
  const write = (faults: object) => stored.put({ ...faults, object: 'faults', id: name })
  function change(changes: unknown) {
    const changed = check(schema, { ...read(), ...check(z.looseObject({}), changes) })
    write(changed)
    return changed
  }
  const api = Router()
  api.get('/', (_request, response) => void response.json(read()))
  api.post('/', (request, response) => void response.json(change(request.body)))
  return {
    /** `POST /` changes the switches, `GET /` returns them. */
    api,
    read,
    change,
    /** Whether this call has the fault; counts it. */
    strikes(fault: keyof z.output<Schema>) {
      const faults = read()
      const left = Number(faults[fault])
      if (left > 0) write({ ...faults, [fault]: left - 1 })
      return left > 0
    },
  }
}

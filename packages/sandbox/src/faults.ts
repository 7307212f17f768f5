import { Router } from 'express'
import { z } from 'zod'
import { type Database, openObjects } from './database.ts'
import { check } from './input.ts'

/** How many of the next calls a fault spoils. */
export const calls = z.int().min(0).max(1_000_000).default(0)

export interface Faults<Schema extends z.ZodObject = z.ZodObject> {
  read(): z.output<Schema>
  change(changes: unknown): z.output<Schema>
  /** Whether to spoil this call; counts it. */
  strikes(fault: keyof z.output<Schema>): boolean
}

/** Switches for faults on request; stored, so that they survive a restart. */
export function createFaults<Schema extends z.ZodObject>(
  db: Database,
  name: string,
  schema: Schema,
): Faults<Schema> {
  const stored = openObjects<{ faults: { object: 'faults'; id: string } }>(db)
  const read = () => schema.parse(stored.find('faults', name) ?? {})
  const write = (faults: object) => stored.put({ ...faults, object: 'faults', id: name })
  return {
    read,
    change(changes) {
      const changed = check(schema, { ...read(), ...check(z.looseObject({}), changes) })
      write(changed)
      return changed
    },
    strikes(fault) {
      const faults = read()
      const left = Number(faults[fault])
      if (left > 0) write({ ...faults, [fault]: left - 1 })
      return left > 0
    },
  }
}

/** `POST /` changes the switches, `GET /` returns them. */
export function faultsApi({ read, change }: Pick<Faults, 'read' | 'change'>) {
  const router = Router()
  router.get('/', (_request, response) => {
    response.json(read())
  })
  router.post('/', (request, response) => {
    response.json(change(request.body))
  })
  return router
}

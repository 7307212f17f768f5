import { Router } from 'express'
import { z } from 'zod'
import { check } from './input.ts'
import type { Settings } from './settings.ts'

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
  settings: Settings,
  name: string,
  schema: Schema,
): Faults<Schema> {
  const read = () => settings.read(name, schema)
  return {
    read,
    change(changes) {
      const changed = check(schema, { ...read(), ...check(z.looseObject({}), changes) })
      settings.write(name, changed)
      return changed
    },
    strikes(fault) {
      const faults = read()
      const left = Number(faults[fault])
      if (left > 0) settings.write(name, { ...faults, [fault]: left - 1 })
      return left > 0
    },
  }
}

/** `GET` and `POST /` for the pages and the tests. */
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

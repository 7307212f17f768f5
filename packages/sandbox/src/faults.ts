import { Router } from 'express'
import { z } from 'zod'
import { check } from './input.ts'
import type { Settings } from './settings.ts'

/** How many of the next calls a fault spoils. */
export const calls = z.int().min(0).max(1_000_000).default(0)

/** Switches for faults on request; stored, so that they survive a restart. */
export function createFaults<Shape extends z.ZodRawShape>(
  settings: Settings,
  name: string,
  schema: z.ZodObject<Shape>,
) {
  type Faults = z.output<z.ZodObject<Shape>>
  const read = () => settings.read(name, schema)
  return {
    read,
    change(changes: unknown): Faults {
      const changed = check(schema, { ...read(), ...check(z.looseObject({}), changes) })
      settings.write(name, changed)
      return changed
    },
    /** Whether to spoil this call; counts it. */
    strikes(fault: keyof Faults): boolean {
      const faults = read()
      const left = Number(faults[fault])
      if (left > 0) settings.write(name, { ...faults, [fault]: left - 1 })
      return left > 0
    },
  }
}

/** `GET` and `POST /` for the pages and the tests. */
export function faultsApi({ read, change }: { read(): object; change(changes: unknown): object }) {
  const router = Router()
  router.get('/', (_request, response) => {
    response.json(read())
  })
  router.post('/', (request, response) => {
    response.json(change(request.body))
  })
  return router
}

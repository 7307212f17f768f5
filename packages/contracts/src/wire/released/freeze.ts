// Keeps the events of this version for the tests of the next: run it at each release.

import { writeFileSync } from 'node:fs'
import { z } from 'zod'
import { flow } from '../events.ts'
import { samplesOf } from './samples-of.ts'

const write = (name: string, content: unknown) =>
  writeFileSync(new URL(name, import.meta.url), `${JSON.stringify(content, null, 2)}\n`)

const events = Object.values(flow).map(({ event }) => event)
write(
  'samples.json',
  events.map(event => event.create(samplesOf(event.schema)[0] as never)),
)
write(
  'schemas.json',
  Object.fromEntries(events.map(({ name, schema }) => [name, z.toJSONSchema(schema, { io: 'input' })])),
)

import { elevenlabs } from './elevenlabs.ts'
import type { Kind } from './kind.ts'
import { local } from './local.ts'
import { mistral } from './mistral.ts'
import { openai } from './openai.ts'
import { sphinx } from './sphinx.ts'

/** All kinds of engines: each is a line here, and its file. */
export const KINDS = { openai, mistral, elevenlabs, local, sphinx } satisfies Record<string, Kind>

const byName = new Map<string, Kind>(Object.entries(KINDS))
export const kindOf = (name: string): Kind | undefined => byName.get(name)

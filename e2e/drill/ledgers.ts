import type { api, DataOf } from '@voxscribe/contracts/http'
import type { Person } from './people.ts'
import type { Errand, NoteToSend } from './plan.ts'
import type { Made } from './troubles.ts'
import type { World } from './world.ts'

/** Line of the table: a promise, what was counted, and what breaks it. */
export interface Finding {
  what: string
  count: string
  broken: string[]
}

type Item = DataOf<typeof api.transcriptions>['transcriptions'][number]
type Entry = DataOf<typeof api.usage>['usage'][number]

/** The system's word on a person's notes and money. */
export interface Told {
  person: Person
  errands: Errand[]
  items: Item[]
  entries: Entry[]
  paid: DataOf<typeof api.paymentHistory>['payments']
  plan: DataOf<typeof api.subscriptionStatus>
}

export interface Ledgers {
  world: World
  notes: NoteToSend[]
  people: Person[]
  /** Of each person, and why some could not be done. */
  errands: Errand[][]
  undone: string[]
  made: Made[]
}

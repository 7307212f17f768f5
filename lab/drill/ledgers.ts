import type { api, DataOf } from '@voxscribe/contracts/http'
import type { Made } from './faults.ts'
import type { Person } from './people.ts'
import type { Errand, NoteToSend } from './plan.ts'
import type { World } from './world.ts'

/** A line of the table: a promise, its count and its violations. */
export interface Finding {
  what: string
  count: string
  broken: string[]
}

type Item = DataOf<typeof api.transcriptions>['transcriptions'][number]
type Entry = DataOf<typeof api.usage>['usage'][number]

/** A person's notes and payments as the API returns them. */
export interface Statement {
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
  /** The errands of each person; `undone`: reasons why some failed. */
  errands: Errand[][]
  undone: string[]
  made: Made[]
}

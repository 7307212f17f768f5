import { type Random, randomFrom } from '@voxscribe/e2e/testing/random.ts'

export const REPLICATED = ['auth', 'billing', 'ingestion', 'transcription', 'notification'] as const
export const SIDES = ['a', 'b'] as const
/** The services' processes; each uses its own side's lines to database and broker. */
const PROCESSES = ['gateway', ...REPLICATED.flatMap(name => SIDES.map(side => `${name}-${side}`))]
const LINES = [...SIDES.flatMap(side => [`mongo-${side}`, `rabbit-${side}`]), 'stripe', 'mail']
const PROVIDER_ROUTES = ['media', 'send', 'speech'] as const
export type ProviderRoute = (typeof PROVIDER_ROUTES)[number]
/** A provider's fault; `lost`: it processes the request, then drops the connection. */
const WAYS = ['hang', '429', '500', 'garbage', 'break', 'lost'] as const
export type Way = (typeof WAYS)[number]
/** Faults of the stand-ins for Stripe and the mail server. */
const SHOP_DOORS = ['stripe hang', 'stripe 429', 'stripe 500', 'stripe lost', 'mail refuse'] as const
export type ShopRoute = (typeof SHOP_DOORS)[number]

/** Each kind of fault: relative frequency, targets, and minimum and maximum duration in milliseconds. */
const KINDS = {
  kill: { weight: 8, targets: PROCESSES, lasts: [0, 0] },
  stop: { weight: 4, targets: PROCESSES, lasts: [0, 0] },
  /** SIGTERM to the process and everything that it has started. */
  'stop group': { weight: 3, targets: PROCESSES, lasts: [0, 0] },
  /** SIGSTOP, then SIGCONT. */
  freeze: { weight: 4, targets: PROCESSES, lasts: [500, 8_000] },
  'kill database': { weight: 2, targets: ['database'], lasts: [0, 1_500] },
  'kill broker': { weight: 1, targets: ['broker'], lasts: [0, 0] },
  'stop broker': { weight: 1, targets: ['broker'], lasts: [500, 3_000] },
  'close connections': { weight: 2, targets: ['broker'], lasts: [0, 0] },
  'memory alarm': { weight: 1, targets: ['broker'], lasts: [500, 3_000] },
  'disk alarm': { weight: 1, targets: ['broker'], lasts: [500, 3_000] },
  'cut line': { weight: 4, targets: LINES, lasts: [0, 4_000] },
  'slow line': { weight: 3, targets: LINES, lasts: [2_000, 8_000] },
  provider: {
    weight: 6,
    targets: PROVIDER_ROUTES.flatMap(route => WAYS.map(way => `${route} ${way}`)),
    lasts: [500, 4_000],
  },
  shop: { weight: 3, targets: SHOP_DOORS, lasts: [500, 4_000] },
  /** The file system of media and temporary files. */
  'full disk': { weight: 2, targets: ['disk'], lasts: [500, 4_000] },
} as const
export type Kind = keyof typeof KINDS

export interface Fault {
  /** Milliseconds after the start. */
  at: number
  kind: Kind
  target: string
  lastsMs: number
  /** Milliseconds until an ended process is restarted. */
  awayMs: number
}

export interface NoteToSend {
  number: number
  person: number
  /** Times at which its webhooks are sent, in milliseconds after the start. */
  at: number[]
}

/** A subscription from purchase to end; each buyer goes through its first steps. Everyone also forgets a password. */
const LIFE = ['buy', 'renew', 'decline', 'recover', 'cancel', 'end'] as const
export type Deed = (typeof LIFE)[number] | 'forget'

export interface Errand {
  /** Milliseconds after the start. */
  at: number
  deed: Deed
}

export interface Plan {
  seed: number
  people: number
  errands: Errand[][]
  notes: NoteToSend[]
  faults: Fault[]
  lastsMs: number
}

/** Average time between two faults. */
const APART_MS = 3_000
const WEBHOOKS = 3
/** Maximum time between a message's first and last webhook. */
const SPREAD_MS = 6_000
/** Fits the free minutes, with room for notes that are wrongly charged twice. */
const NOTES_A_PERSON = 40

/** Returns the whole schedule of a drill, which is the same for the same numbers. */
export function planOf({ seed, kills, notes }: { seed: number; kills: number; notes: number }): Plan {
  const random = randomFrom(seed)
  const lastsMs = kills * APART_MS
  const people = Math.max(2, Math.ceil(notes / NOTES_A_PERSON))
  return {
    seed,
    people,
    lastsMs,
    faults: Array.from({ length: kills }, () => faultOf(random, lastsMs)).sort((a, b) => a.at - b.at),
    notes: Array.from({ length: notes }, (_, number) => {
      const first = random() * 0.85 * lastsMs
      const at = Array.from({ length: WEBHOOKS }, () => Math.round(first + random() * SPREAD_MS))
      return { number, person: number % people, at }
    }),
    errands: Array.from({ length: people }, (_, person) => errandsOf(random, person, lastsMs)),
  }
}

/** Each person forgets a password; every other one buys the plan. */
function errandsOf(random: Random, person: number, lastsMs: number): Errand[] {
  const deeds = person % 2 ? LIFE.slice(0, between(random, 1, LIFE.length)) : []
  const times = deeds.map(() => between(random, 0, 0.85 * lastsMs)).sort((a, b) => a - b)
  const errands: Errand[] = deeds.map((deed, index) => ({ at: times[index]!, deed }))
  return [...errands, { at: between(random, 0, 0.85 * lastsMs), deed: 'forget' as const }].sort(
    (a, b) => a.at - b.at,
  )
}

function faultOf(random: Random, lastsMs: number): Fault {
  const kind = oneOf(
    random,
    (Object.keys(KINDS) as Kind[]).flatMap(name => Array<Kind>(KINDS[name].weight).fill(name)),
  )
  const { targets, lasts } = KINDS[kind]
  const [shortest, longest] = lasts
  return {
    at: between(random, 0, lastsMs),
    kind,
    target: oneOf<string>(random, targets),
    lastsMs: between(random, shortest, longest),
    awayMs: between(random, 0, 1_500),
  }
}

const between = (random: Random, from: number, to: number): number =>
  Math.round(from + random() * (to - from))
const oneOf = <T>(random: Random, list: readonly T[]): T => list[Math.floor(random() * list.length)]!

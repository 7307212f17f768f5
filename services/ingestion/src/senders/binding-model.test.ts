import {
  type Envelope,
  type EventOf,
  MediaAnnounced,
  NoteWithdrawn,
  NumberDisowned,
  UserUpdated,
} from '@voxscribe/contracts/events'
import type { Documents } from '@voxscribe/service'
import {
  type AnswerWay,
  createMemory,
  drained,
  type Memory,
  must,
  mustEqual,
  schedules,
} from '@voxscribe/service/testing'
import fc from 'fast-check'
import { accountOf } from '../testing.ts'
import { createIntake } from '../webhooks/accept.ts'
import { areConflicting, type InboundMessage, phoneKey, senderKeys } from './inbound.ts'
import { openSenders } from './note-owners.ts'
import { createReceipts } from './receipts.ts'

const HOUR = 3_600_000
const START = Date.UTC(2026, 10, 1)
const USERS = ['ada', 'bob'] as const
type User = (typeof USERS)[number]
/** Telephone lines as WhatsApp knows them. */
const LINES = [
  { phone: '16505550001', messengerId: 'US.1' },
  { phone: '16505550002', messengerId: 'US.2' },
] as const

interface Call {
  replica: number
  go(answer?: AnswerWay): void
  fail(error: Error): void
}
/** A webhook or an event of the bus, which is delivered until it's accepted. */
type Delivery = (replica: Replica) => Promise<unknown>
type Replica = ReturnType<typeof ingestionOn>

function ingestionOn(documents: Documents, now: () => Date) {
  const senders = openSenders({ documents, now, withdrawMedia: async () => 'stored' })
  return { ...senders, ...createIntake(senders, 'support@voxscribe.example', { warn() {} }) }
}

/** Auth's side: a number belongs to one account at a time, and each change of it makes a new link code. */
function openAuth() {
  const accounts = {
    ada: { phone: null as string | null, revision: 0, code: 'VX-AAAAAAAA', claimedAt: START },
    bob: { phone: null as string | null, revision: 0, code: 'VX-BBBBBBBB', claimedAt: START },
  }
  let codes = 0
  const eventDataOf = (user: User) => {
    const { phone, revision, code, claimedAt } = accounts[user]
    return accountOf(user, phone, revision, code, new Date(claimedAt).toISOString())
  }
  return {
    accounts,
    /** Returns the events of a claim. */
    claim(user: User, phone: string | null, at: number) {
      const others = USERS.filter(other => other !== user && phone && accounts[other].phone === phone)
      return [...others.map(other => [other, null] as const), [user, phone] as const].map(
        ([changed, number]) => {
          codes += 1
          const code = `VX-${changed === 'ada' ? 'A' : 'B'}${String(codes).padStart(7, '2').replaceAll('0', 'X').replaceAll('1', 'Y')}`
          const { revision } = accounts[changed]
          accounts[changed] = { phone: number, revision: revision + 1, code, claimedAt: at }
          return { data: eventDataOf(changed) }
        },
      )
    },
  }
}

interface Receipt {
  keys: string[]
  userId: string | null
  waitingUntil: Date | null
}

interface Proof {
  accountId: string
  provedBy: string
}

/** The valid proof for a sender in the database, unless another key contradicts it. */
function proofOf(memory: Memory, keys: string[]): Proof | undefined {
  const accounts = memory.all('accounts')
  const proofs = memory
    .all('senders')
    .filter(
      ({ _id, accountId, provedBy }) =>
        keys.includes(_id) &&
        accounts.some(account => account._id === accountId && account.boundBy === provedBy),
    )
  const isContradicted = proofs.some(
    proof =>
      proof.accountId !== proofs[0]?.accountId ||
      proof.with?.some((known: string) => keys.some(key => areConflicting(key, known))),
  )
  const [first] = isContradicted ? [] : proofs
  return first && { accountId: first.accountId, provedBy: first.provedBy }
}

/** The proof of one of the sender's keys, if it came with a key that isn't the sender's. */
const rivalOf = (memory: Memory, keys: string[]): Proof | undefined =>
  keys
    .flatMap(key => memory.all('senders').filter(({ _id }) => _id === key && proofOf(memory, [key])))
    .map(({ accountId, provedBy, with: known = [] }) => ({ accountId, provedBy, known: known as string[] }))
    .find(({ known }) => known.some(one => keys.some(key => areConflicting(key, one))))

/** The state when a note was sent. */
interface SentNote {
  keys: string[]
  proof: Proof | undefined
  /** Accounts that had been disowned, if nothing was in transit. */
  disowned: string[]
  /** The proof of a number that came with another user id, if nothing was in transit. */
  strangerTo: Proof | undefined
  /** How many codes were certainly handled before it: all that had been sent, or 0 while anything was in transit. */
  codesBefore: number
}

function openWorld() {
  const memory = createMemory()
  const auth = openAuth()
  const world = {
    auth,
    memory,
    at: START,
    isFree: false,
    calls: [] as Call[],
    /** Calls that stay in transit for long. */
    late: [] as Call[],
    pending: [] as Delivery[],
    all: [] as Delivery[],
    told: new Map<string, Envelope>(),
    running: 0,
    /** Each account with a number that it has claimed. */
    claims: new Set<string>(),
    /** Each account with the keys of a sender that has sent its code. */
    codes: [] as { userId: string; keys: string[] }[],
    sentNotes: new Map<string, SentNote>(),
    sent: 0,
    /** A NO that was an ordinary word leaves no trace; repeated after the question, it is an answer. */
    send(delivery: Delivery, mayRepeat = true) {
      world.sent += 1
      world.pending.push(delivery)
      if (mayRepeat) world.all.push(delivery)
    },
    claim(user: User, phone: string | null) {
      if (phone) world.claims.add(`${user} ${phoneKey(phone)}`)
      world.at += 1
      for (const { data } of auth.claim(user, phone, world.at))
        world.send(({ owners }) => owners.onAccountEvent(UserUpdated.create(data)))
    },
    startReplica(replica: number) {
      const turn = () =>
        world.isFree
          ? Promise.resolve(undefined)
          : new Promise<AnswerWay | undefined>((go, fail) => world.calls.push({ replica, go, fail }))
      return ingestionOn(memory.documentsOf(turn, sent), () => new Date(world.at))
    },
    async deliver(delivery: Delivery, to: Replica) {
      world.running += 1
      try {
        await delivery(to)
      } catch {
        world.pending.push(delivery)
      } finally {
        world.running -= 1
      }
    },
  }

  function sent(event: Envelope) {
    if (world.told.has(event.id)) return
    world.told.set(event.id, event)
    if (event.type !== NumberDisowned.name) return
    const { userId, phone } = (event as EventOf<'NumberDisowned'>).data
    world.send(async ({ owners, bindings }) =>
      owners.withdraw(userId, await bindings.keysWith(phoneKey(phone))),
    )
    // Auth removes the number.
    const user = userId as User
    if (auth.accounts[user].phone && phoneKey(auth.accounts[user].phone) === phoneKey(phone))
      world.claim(user, null)
  }
  return world
}
type World = ReturnType<typeof openWorld>

const LOST: AnswerWay = () => Promise.reject(new Error('The answer was lost'))

const replica = fc.constantFrom(0, 1)
const pick = fc.nat(63)
const user = fc.constantFrom(...USERS)
const line = fc.constantFrom(...LINES)
/** The keys of the sender that a message shows; `rival`: the number, with the user id of its next owner. */
const shows = fc.constantFrom('both', 'both', 'phone', 'id', 'rival')
const happening = fc.oneof(
  { weight: 8, arbitrary: fc.record({ what: fc.constant('deliver' as const), replica, pick }) },
  { weight: 8, arbitrary: fc.record({ what: fc.constantFrom('call', 'call', 'calls'), pick }) },
  { weight: 3, arbitrary: fc.record({ what: fc.constantFrom('refuse', 'lose', 'slow', 'late'), pick }) },
  { weight: 2, arbitrary: fc.record({ what: fc.constant('rest' as const) }) },
  { weight: 1, arbitrary: fc.record({ what: fc.constantFrom('again', 'hours'), pick }) },
  {
    weight: 5,
    arbitrary: fc.record({ what: fc.constantFrom('note', 'note', 'code', 'no', 'no'), user, line, shows }),
  },
  { weight: 2, arbitrary: fc.record({ what: fc.constant('claim' as const), user, line }) },
  { weight: 3, arbitrary: fc.record({ what: fc.constantFrom('ask', 'ask', 'give up'), user }) },
)
type Happening = typeof happening extends fc.Arbitrary<infer T> ? T : never

const taken = <T>(list: T[], at: number): T | undefined => list.splice(at % Math.max(1, list.length), 1)[0]

function messageOf(world: World, it: Extract<Happening, { shows: string }>): InboundMessage {
  const { phone, messengerId } = it.line
  const sender = {
    channel: 'whatsapp' as const,
    phone: it.shows === 'id' ? null : phone,
    messengerId: it.shows === 'phone' ? null : it.shows === 'rival' ? `${messengerId}9` : messengerId,
  }
  const id = `wamid.${world.sent}`
  const media = { providerMediaId: id, fileName: 'note.ogg', sha256: null }
  if (it.what === 'note') return { id, sender, text: null, media: [media] }
  return { id, sender, text: it.what === 'no' ? 'No' : world.auth.accounts[it.user].code, media: [] }
}

function happen(world: World, replicas: Replica[], it: Happening): unknown {
  const at = 'pick' in it ? it.pick : 0
  switch (it.what) {
    case 'deliver': {
      const delivery = taken(world.pending, at)
      if (delivery) void world.deliver(delivery, replicas[it.replica]!)
      return
    }
    case 'again':
      return world.all.length && world.pending.push(world.all[at % world.all.length]!)
    case 'call':
      return taken(world.calls, at)?.go()
    case 'calls':
      return world.calls.splice(0).map(({ go }) => go())
    case 'refuse':
      return taken(world.calls, at)?.fail(new Error('Not reached'))
    case 'lose':
      return taken(world.calls, at)?.go(LOST)
    case 'slow': {
      const call = taken(world.calls, at)
      return call?.go(() => new Promise((go, fail) => world.calls.push({ ...call, go: () => go(), fail })))
    }
    case 'late': {
      const call = taken(world.calls, at)
      return call && world.late.push(call)
    }
    case 'rest':
      return rest(world, replicas)
    case 'hours':
      world.at += at * HOUR
      return
    case 'claim':
      return world.claim(it.user, it.line.phone)
    case 'give up':
      return world.claim(it.user, null)
    case 'ask': {
      const phoneClaimedAt = new Date(world.auth.accounts[it.user].claimedAt).toISOString()
      const asked = {
        data: { userId: it.user, phoneClaimedAt },
        occurredAt: new Date(world.at).toISOString(),
      }
      return world.send(({ accounts }) => accounts.recordQuestion(asked))
    }
    default: {
      const message = messageOf(world, it)
      if (it.what === 'note') {
        const keys = senderKeys(message.sender)
        const isQuiet = !world.running
        const lost = world.memory.all('accounts').filter(({ disowned }) => keys.includes(disowned?.[0]))
        world.sentNotes.set(message.id, {
          keys,
          proof: proofOf(world.memory, keys),
          strangerTo: isQuiet && !world.pending.length ? rivalOf(world.memory, keys) : undefined,
          disowned: isQuiet ? lost.map(({ _id }) => _id) : [],
          codesBefore: isQuiet && !world.pending.length ? world.codes.length : 0,
        })
      }
      if (it.what === 'code') world.codes.push({ userId: it.user, keys: senderKeys(message.sender) })
      world.send(({ accept }) => accept(message), it.what !== 'no')
    }
  }
}

/** Completes everything that isn't late. */
async function rest(world: World, replicas: Replica[]): Promise<void> {
  world.isFree = true
  for (let round = 0; round < 6; round++) {
    for (const { go } of world.calls.splice(0)) go()
    for (const delivery of world.pending.splice(0)) void world.deliver(delivery, replicas[round % 2]!)
    await drained()
  }
  world.isFree = false
}

async function settle(world: World, replicas: Replica[]): Promise<void> {
  world.isFree = true
  for (const { go } of [...world.calls.splice(0), ...world.late.splice(0)]) go()
  for (let round = 0; round < 30; round++) {
    await drained()
    if (!world.pending.length && !world.running) return
    for (const [index, delivery] of world.pending.splice(0).entries())
      await world.deliver(delivery, replicas[(round + index) % 2]!)
  }
}

const keysOfLine = (keys: string[]): string[] =>
  LINES.map(one => senderKeys({ channel: 'whatsapp', ...one })).find(of =>
    keys.some(key => of.includes(key)),
  )!

async function check(world: World, replicas: Replica[]): Promise<void> {
  must(!world.pending.length, 'not all is delivered')
  const told = [...world.told.values()]
  const hasProved = (userId: string, keys: string[]) =>
    world.codes.some(proof => proof.userId === userId && proof.keys.some(key => keys.includes(key)))
  const owners = new Map<string, string>()
  for (const { data } of told.filter(
    ({ type }) => type === MediaAnnounced.name,
  ) as EventOf<'MediaAnnounced'>[]) {
    // Media belong to one account; if they move to another one, they get a new id.
    mustEqual(owners.get(data.mediaId) ?? data.userId, data.userId)
    owners.set(data.mediaId, data.userId)
    const sent = world.sentNotes.get(data.source.messageId)!
    // An account that claims its number again has no proof of it, and gets the notes from it.
    const stands = world.memory.all('accounts').some(({ boundBy }) => boundBy === sent.strangerTo?.provedBy)
    if (stands && sent.strangerTo?.accountId === data.userId)
      must(
        world.codes.some(
          code => code.userId === data.userId && sent.keys.every(key => code.keys.includes(key)),
        ),
        'a stranger’s',
        sent,
      )
    if (sent.disowned.includes(data.userId)) must(hasProved(data.userId, keysOfLine(sent.keys)), data)
  }
  for (const receipt of world.memory.all('receipts')) {
    const { keys, userId, waitingUntil } = receipt as unknown as Receipt
    const all = keysOfLine(keys)
    if (userId && receipt.media.length) {
      const isTheirs = hasProved(userId, all) || all.some(key => world.claims.has(`${userId} ${key}`))
      must(isTheirs, userId, all)
      const account = await replicas[0]!.accounts.byId(userId)
      const isDisowned = keys.some(key => account?.disowned?.includes(key))
      if (isDisowned) must(hasProved(userId, all), userId, all, 'disowned')
    }
    must(userId !== null || !receipt.media.length || waitingUntil !== null, receipt)
    // Waiting notes belong to nobody: they aren't taken from an account that got them in the meantime.
    must(
      userId !== null || receipt.media.every((one: { mediaId: string }) => !owners.has(one.mediaId)),
      receipt,
    )
    const proof = proofOf(world.memory, keys)
    // No note waits if its sender is proved.
    must(!(proof && waitingUntil && waitingUntil.getTime() > world.at), keys, proof, 'waits')
    const sent = world.sentNotes.get(receipt.source.messageId)
    if (!sent?.proof || sent.proof.provedBy !== proof?.provedBy) continue
    // While it was in transit, another account may have had one of the sender's keys, which has lapsed since.
    const isContested = world.codes
      .slice(sent.codesBefore)
      .some(code => code.userId !== proof.accountId && code.keys.some(key => all.includes(key)))
    if (!isContested) mustEqual([sent.keys, userId], [sent.keys, proof.accountId])
  }
}

async function live(happenings: Happening[]): Promise<void> {
  await new Promise(setImmediate)
  const world = openWorld()
  const replicas = [world.startReplica(0), world.startReplica(1)]
  for (const it of happenings) {
    await happen(world, replicas, it)
    await drained()
  }
  await settle(world, replicas)
  await check(world, replicas)
  const told = world.told.size
  // Repeats everything, which must change nothing.
  world.pending.push(...world.all)
  await settle(world, replicas)
  await check(world, replicas)
  mustEqual(
    [...world.told.values()].slice(told).filter(event => !mayComeLate(world, event)),
    [],
  )
}

/**
 * A repeat may repair what crossed in transit: a proof overtaken by an objection, so that a note leaves late; claims of
 * a number that come and go, whose notes otherwise wait for proof; and two accounts that have each proved one key of
 * the same telephone, whose notes go to the account that proved the number.
 */
function mayComeLate(world: World, { type, data }: Envelope): boolean {
  if (type === MediaAnnounced.name) {
    const { source } = data as EventOf<'MediaAnnounced'>['data']
    const line = keysOfLine(world.sentNotes.get(source.messageId)!.keys)
    const provers = world.codes.filter(({ keys }) => keys.some(key => line.includes(key)))
    return source.claimed === true || new Set(provers.map(({ userId }) => userId)).size > 1
  }
  const { userId } = data as { userId: string }
  return type === NoteWithdrawn.name && world.codes.some(code => code.userId === userId)
}

test('when claims, codes and objections come in any order, then notes follow their sender', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(happening, { minLength: 10, maxLength: 40, size: 'max' }), live),
    schedules(),
  )
})

const [first] = LINES
const [ada, bob] = USERS
const note = { what: 'note', user: ada, line: first, shows: 'both' } as const

test('when another account has proved the sender, then the notes move to it', () =>
  live([
    { what: 'claim', user: ada, line: first },
    { what: 'claim', user: bob, line: first },
    { what: 'ask', user: bob },
    note,
    { what: 'rest' },
    { what: 'code', user: ada, line: first, shows: 'id' },
    { what: 'rest' },
    { what: 'no', user: bob, line: first, shows: 'phone' },
    { what: 'deliver', replica: 0, pick: 0 },
    note,
  ]))

test('when two accounts’ codes come at once, then the whole sender belongs to one account', () => {
  const step: Happening = { what: 'calls', pick: 0 }
  const deliver: Happening = { what: 'deliver', replica: 0, pick: 0 }
  return live([
    { what: 'give up', user: ada },
    { what: 'give up', user: bob },
    { ...note, shows: 'phone' },
    { what: 'rest' },
    { what: 'code', user: ada, line: first, shows: 'both' },
    { what: 'code', user: bob, line: first, shows: 'id' },
    deliver,
    deliver,
    ...Array(6).fill(step),
  ])
})

test('when a withdrawal comes after its notes have moved on, then their new account keeps them', async () => {
  const receipts = createReceipts(createMemory().documentsOf(), () => new Date(START))
  const mediaId = '00000000-0000-4000-8000-000000000001'
  const media = { providerMediaId: '1', fileName: 'note.ogg', sha256: null, mediaId }
  const source = { channel: 'whatsapp' as const, address: first.phone, messageId: 'wamid.1' }
  const receipt = { _id: 'whatsapp:wamid.1', keys: ['id:US.1'], source, traceId: 'trace', media: [media] }
  await receipts.add(receipt, ada, false, [])
  const [asRead] = await receipts.ownedBy(ada, receipt.keys)
  await receipts.withdraw(asRead!, ada, new Map())
  const [waiting] = await receipts.waitingFrom(receipt.keys)
  await receipts.assign(waiting!, { userId: bob, claimed: false })
  await receipts.withdraw(asRead!, ada, new Map())
  mustEqual((await receipts.byId(receipt._id))?.userId, bob)
})

test('when two accounts have each proved part of a telephone, then its notes are with one', () => {
  const refuse: Happening = { what: 'refuse', pick: 0 }
  const of = (user: User, shows: 'both' | 'phone' | 'id') => ({ user, line: first, shows })
  return live([
    { what: 'claim', user: bob, line: first },
    note,
    { what: 'no', ...of(ada, 'both') },
    { what: 'ask', user: bob },
    { what: 'give up', user: ada },
    { what: 'rest' },
    { what: 'code', ...of(ada, 'phone') },
    { what: 'ask', user: ada },
    { what: 'deliver', replica: 0, pick: 0 },
    { what: 'code', ...of(bob, 'id') },
    refuse,
    refuse,
    refuse,
  ])
})

test('when the next person has the number, then the notes wait for a code of theirs', () =>
  live([
    { what: 'claim', user: ada, line: first },
    { what: 'rest' },
    { what: 'code', user: ada, line: first, shows: 'both' },
    { what: 'rest' },
    { ...note, shows: 'rival' },
    { what: 'rest' },
    note,
    { ...note, shows: 'phone' },
    { what: 'rest' },
    { what: 'code', user: bob, line: first, shows: 'rival' },
    { what: 'rest' },
    { ...note, shows: 'rival' },
  ]))

import { setTimeout as pass } from 'node:timers/promises'
import { PATHS } from '@voxscribe/contracts/paths'
import type { AxiosResponse } from 'axios'
import { startCountingEngine } from './testing/counting-engine.ts'
import { startOneProcess } from './testing/one-process.ts'
import { type Person, signUp } from './testing/person.ts'
import { voiceNote } from './testing/speech.ts'
import type { System } from './testing/system.ts'
import { WHATSAPP, webhookOf } from './testing/webhook.ts'

const LETTERS = 150_000
/** Milliseconds that another person's call may wait on an idle machine. */
const WAIT_MS = 200
/** Share of a long call that another person's call may wait, independent of the machine's speed. */
const PART = 0.1
const TRIES = 5
/** Milliseconds that the largest chat may take on a very busy machine. */
const LONGEST_MS = 300_000
/** People who export a note at once. */
const EXPORTING = 10
/** Messages that a person deletes at once. */
const REVOKED = 30
/** Maximum size of a body that isn't a file. */
const BODY_BYTES = 100_000

/** Milliseconds of processor time of the program that measures the machine's load. */
const SPIN_MS = 100

/** Returns the slowdown of a program by others on this machine; 1: none. */
function slowness(): number {
  const began = performance.now()
  const before = process.cpuUsage()
  while (process.cpuUsage(before).user < SPIN_MS * 1000);
  return Math.max(1, (performance.now() - began) / SPIN_MS)
}

/** Nearly the maximum of a chat; with SAID, its text has nearly the maximum length. */
const MESSAGES = 199_000
const chat = (said: string) =>
  Array.from({ length: MESSAGES }, (_, at) => {
    const [day, time] = new Date(Date.UTC(2020, 0, 1) + at * 60_000).toISOString().slice(0, 19).split('T')
    const [year, month, date] = day!.split('-')
    return `[${date}.${month}.${year}, ${time}] ${at % 2 ? 'Ana' : 'Ben'}: ${at} ${said}`
  }).join('\n')
const SAID = 'words about the garden, the weather of today and of tomorrow, and nothing else to say'

const SYLLABLES = 'ka lo mi ter san dor ul ve pri no sha gre'.split(' ')
/** Returns shuffled words, so that no sentence repeats another. */
function wordsOf(letters: number): string {
  let seed = 7
  let text = ''
  const next = (most: number) => {
    seed = (seed * 48_271) % 2_147_483_647
    return seed % most
  }
  while (text.length < letters) {
    const word = Array.from({ length: 1 + next(3) }, () => SYLLABLES[next(SYLLABLES.length)]).join('')
    text += next(12) ? `${word} ` : `${word}. `
  }
  return text.slice(0, letters).trim()
}
const TEXT = wordsOf(LETTERS)
/** Unordered combining marks on one letter: sorting them takes quadratic time. */
const MARKS = `a${'\u0301'.repeat(20_000)}${'\u0323'.repeat(20_000)}`
/** Six words, each letter of which is from a different alphabet. */
const SEARCH = Array.from({ length: 6 }, (_, word) =>
  Array.from({ length: 24 }, (_, at) => String.fromCodePoint(0xac00 + word + at * 256)).join(''),
).join(' ')

type Name = keyof typeof PATHS
type Call = [method: string, path: string, body?: unknown]
interface Own {
  /** A note of 150,000 letters. */
  id: string
  passages: { id: string; text: string }[]
  /** A chat with the maximum number of messages. */
  chat: string
}

/** Largest inputs of calls that need more than one long text. */
const largest: { [K in Name]?: (own: Own) => Call[] } = {
  transcriptions: () => [
    ['GET', `/transcriptions?search=${encodeURIComponent(SEARCH)}`],
    ['GET', '/transcriptions?limit=100&search=zzzzkalomi'],
  ],
  editTranscription: ({ id, passages: [first] }) => [
    ['PATCH', `/transcriptions/${id}`, { title: 'A title' }],
    ['PATCH', `/transcriptions/${id}`, { segments: [{ id: first!.id, text: MARKS.slice(0, 5_000) }] }],
    ['PATCH', `/transcriptions/${id}`, { segments: [{ id: first!.id, text: wordsOf(4_900) }] }],
    ['PATCH', `/transcriptions/${id}`, { tags: [MARKS] }],
    ['PATCH', `/transcriptions/${id}`, { restore: true }],
  ],
  exportTranscription: ({ id }) =>
    ['txt', 'md', 'json', 'srt', 'vtt', 'docx', 'pdf', 'pdf&certified=on'].map(format => [
      'GET',
      `/transcriptions/${id}/export?format=${format}`,
    ]),
  // Files of many notes are made like those of one note.
  exportTranscriptions: ({ id }) =>
    ['txt', 'pdf'].map(format => ['POST', '/transcriptions/export', { ids: [id], format }]),
  quoteTranscription: ({ id }) => [['GET', `/transcriptions/${id}/quote?from=0&to=6`]],
  createConversation: () => [['POST', '/conversations', exportOf(chat(`in other ${SAID.slice(0, -9)}`))]],
  conversationMessages: ({ chat }) =>
    ['limit=200', 'search=zzzzkalomi', 'kind=note'].map(query => [
      'GET',
      `/conversations/${chat}/messages?${query}`,
    ]),
  exportConversation: ({ chat }) =>
    ['txt&certified=on', 'docx', 'pdf', 'json', 'zip'].map(format => [
      'GET',
      `/conversations/${chat}/export?format=${format}`,
    ]),
  ask: () => [
    ['POST', '/ask', { question: TEXT.slice(0, 499) }],
    ['POST', '/ask', { question: MARKS.slice(0, 500), earlier: Array(3).fill(TEXT.slice(0, 499)) }],
  ],
  createForm: () => [
    ['POST', '/forms', { name: 'x'.repeat(30), instruction: MARKS.slice(0, 1_000), auto: { tags: [MARKS] } }],
    ['POST', '/forms', { name: 'x'.repeat(30), instruction: TEXT.slice(0, 999), auto: {} }],
  ],
  replaceWords: () => [
    ['PUT', '/users/words', { words: [MARKS], replacements: [] }],
    [
      'PUT',
      '/users/words',
      { words: numbered('w'), replacements: numbered('r').map(heard => ({ heard, write: 'x' })) },
    ],
  ],
}
const exportOf = (text: string) => ({ source: 'whatsapp', name: 'Largest', text, files: [] })
const numbered = (letter: string) =>
  Array.from({ length: 100 }, (_, at) => `${at}${letter.repeat(60 - `${at}`.length)}`)

/** Calls that end the session or delete the note; their inputs are ids and tokens. */
const ENDING: Name[] = [
  'eraseAccount',
  'deleteTranscription',
  'deleteConversation',
  'logout',
  'endOtherSessions',
  'endSession',
]
/** A stream that stays open. */
const OPEN: Name[] = ['transcriptionEvents']

function callsOf(name: Name, own: Own): Call[] {
  const known = largest[name]?.(own)
  if (known) return known
  const [method, path] = PATHS[name]
  const address = path
    .replace('/transcriptions/:id', `/transcriptions/${own.id}`)
    .replace('/conversations/:id', `/conversations/${own.chat}`)
    .replace(/:\w+/g, 'x'.repeat(100))
  if (method === 'GET' || method === 'DELETE') return [[method, address]]
  // All fields of all bodies, as long as possible together.
  const fields = ['name', 'title', 'email', 'password', 'token', 'message', 'url', 'refreshToken', 'secret']
  const each = MARKS.slice(0, BODY_BYTES / 2 / fields.length)
  return [[method, address, Object.fromEntries(fields.map(field => [field, each]))]]
}

const COMMANDS = [
  'find kalomi',
  `find ${SEARCH}`,
  'srt',
  'pdf',
  'title: A title',
  '#tag',
  'latest',
  '1',
  'share',
  'minutes',
  'help',
  'summary',
  'spanish',
  'speakers',
  'delete',
  'undo',
  'a '.repeat(2_000),
  MARKS.slice(0, 4_000),
]

describe('when a person sends the largest input', () => {
  let system: System
  let engine: Awaited<ReturnType<typeof startCountingEngine>>
  let person: Person
  let other: Person
  let own: Own
  const table: string[] = []
  beforeAll(async () => {
    engine = await startCountingEngine(0, TEXT)
    const { WHATSAPP_APP_SECRET } = WHATSAPP
    system = await startOneProcess({ ...engine.settings, RATE_LIMITS: 'off', WHATSAPP_APP_SECRET })
    person = await signUp(system)
    other = await signUp(system)
    await person.sendNote(await voiceNote())
    const [note] = await person.ended(1)
    const { data } = await person.http.get(`/transcriptions/${note!.id}`)
    const made = await person.http.post('/conversations', exportOf(chat(SAID)), { timeout: LONGEST_MS })
    expect(made.status).toBe(201)
    own = {
      id: note!.id,
      passages: data.data.transcription.segments,
      chat: made.data.data.conversation.id,
    }
  })
  afterAll(async () => {
    console.info(
      [
        'call, its ms, other’s longest wait, the same without it, the most on a machine as busy as this',
        ...table,
      ].join('\n'),
    )
    await system?.remove()
    await engine?.stop()
  })

  /** Returns the longest wait of another person's calls, in milliseconds, during some work or for a second. */
  async function longestWait(work: Promise<unknown>): Promise<number> {
    let isOver = false
    const over = work.finally(() => {
      isOver = true
    })
    over.catch(() => {})
    let longest = 0
    do {
      const began = performance.now()
      expect((await other.http.get('/users/profile')).status).toBe(200)
      longest = Math.max(longest, performance.now() - began)
      // Frequent enough that one of them meets a block of 200 ms.
      await pass(10)
    } while (!isOver)
    await over
    return longest
  }

  async function isBounded(what: string, work: () => Promise<unknown>): Promise<void> {
    for (let tried = 1; ; tried++) {
      const before = slowness()
      const alone = await longestWait(pass(500))
      const began = performance.now()
      const beside = await longestWait(work())
      const took = performance.now() - began
      const most = Math.max(WAIT_MS * Math.max(before, slowness()) + alone, PART * took)
      const row = [what, ...[took, beside, alone, most].map(Math.round)].join(', ')
      if (beside <= most) return void table.push(row)
      if (tried === TRIES) throw new Error(`Another person waited: ${row}`)
    }
  }
  const send = ([method, url, data]: Call): Promise<AxiosResponse> =>
    person.http.request({ method, url, data, responseType: 'arraybuffer', timeout: LONGEST_MS })

  /** Whether a call has a body, or reads data of maximum size. */
  const isLarge = ([method, path]: (typeof PATHS)[Name]) =>
    !['GET', 'DELETE'].includes(method) || /^\/(transcriptions|conversations|todos|users\/export)/.test(path)
  const names = (Object.keys(PATHS) as Name[])
    .filter(name => isLarge(PATHS[name]) && !PATHS[name][1].startsWith('/internal'))
    .filter(name => !ENDING.includes(name) && !OPEN.includes(name))
  test.each(names)('of the call %s, then another person’s call is answered in time', async name => {
    for (const call of callsOf(name, own))
      await isBounded(`${name} ${call[1].slice(0, 70)}`, async () => {
        const { status } = await send(call)
        expect(status).toBeLessThan(500)
      })
  })

  test('of ten people’s exports at once, then another person’s call is answered in time', async () => {
    const path = await voiceNote()
    const exports: ((format: string) => Promise<AxiosResponse>)[] = []
    while (exports.length < EXPORTING) {
      const { sendNote, ended, http } = await signUp(system)
      await sendNote(path)
      const [note] = await ended(1)
      const options = (format: string) => ({ params: { format }, timeout: LONGEST_MS })
      exports.push(format => http.get(`/transcriptions/${note!.id}/export`, options(format)))
    }
    for (const format of ['txt', 'docx', 'pdf'])
      await isBounded(`${EXPORTING} exports as ${format}`, async () => {
        const answers = await Promise.all(exports.map(get => get(format)))
        expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
      })
  })

  const commands = COMMANDS.map(text => ({ name: text.slice(0, 20), text }))
  test.each(commands)(
    'of the chat, then another person’s call is answered in time: $name',
    async ({ name, text }) => {
      await isBounded(`chat: ${name}`, async () => {
        const before = (await person.messages()).length
        await person.sendText(text)
        for (let looks = 0; looks < 50 && (await person.messages()).length < before + 2; looks++)
          await pass(100)
      })
    },
  )

  test('of the chat, then another person’s call is answered in time: 30 notes, deleted at once', async () => {
    const path = await voiceNote()
    const { number: from } = person
    await isBounded('chat: 30 revoked', async () => {
      const sent = await Promise.all(Array.from({ length: REVOKED }, () => person.sendNote(path)))
      const revoked = sent.map(({ id }) => {
        const revoke = { original_message_id: id }
        const { body, headers } = webhookOf({ from, id: `${id}.revoked`, type: 'revoke', revoke })
        return person.open.post(`${system.appUrl}/webhooks/whatsapp`, body, { headers })
      })
      for (const { status } of await Promise.all(revoked)) expect(status).toBe(200)
    })
  })
})

import { randomUUID } from 'node:crypto'
import { globSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import axios from 'axios'
import { BSON } from 'mongodb'
import { eventually } from '../testing/eventually.ts'
import { newNumber, type Person, signUp } from '../testing/person.ts'
import { voiceNote } from '../testing/speech.ts'
import type { System } from '../testing/system.ts'
import { linkTelegram } from './telegram.ts'

export interface Stores {
  /** Folders with documents, media and everything else, except for the sandbox's, which stands for third parties. */
  folders(): string[]
  /** Puts this among transcription's dead letters. */
  addDeadLetter(message: object): Promise<void>
  /** Returns everything in the broker's queues, if there is a broker. */
  queues(): Promise<string>
}

interface Stored {
  /** Database and collection. */
  place: string
  document: unknown
}

/** Returns all documents of all services from the embedded database's file. */
function documentsIn(folders: string[]): Stored[] {
  const [path] = folders.flatMap(cwd =>
    globSync('**/embedded-mongo.sqlite', { cwd }).map(file => join(cwd, file)),
  )
  const file = new DatabaseSync(path ?? '', { readOnly: true })
  try {
    const collections = file.prepare('SELECT id, db, name FROM collections').all()
    return collections.flatMap(({ id, db, name }) =>
      file
        .prepare(`SELECT doc FROM docs_${id}`)
        .all()
        .map(({ doc }) => ({ place: `${db}.${name}`, document: BSON.deserialize(doc as Uint8Array) })),
    )
  } finally {
    file.close()
  }
}

/** Returns the text values of a document, without field names. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (Array.isArray(value)) return value.flatMap(textsIn)
  if (value?.constructor !== Object) return []
  return Object.values(value).flatMap(textsIn)
}

/** Ids (including those of rate limits), digests and times, which refer to nothing anymore. */
const IS_ID = /^((?:[a-z-]+:)?[\da-f-]{24,}|[\w-]{43}=?|\d{4}-\d\d-\d\dT[\d:.]+Z)$/i
/** Shorter texts identify nobody. */
const SHORTEST = 6

/** Returns the texts that occur only in documents that name the person or something of theirs. */
function textsOf(stored: Stored[], traces: string[]): string[] {
  const all = stored.map(({ document }) => textsIn(document))
  const isTheirs = (texts: string[]) => traces.some(trace => texts.some(text => text.includes(trace)))
  const others = all.filter(texts => !isTheirs(texts)).flat()
  const theirs = new Set(all.filter(isTheirs).flat())
  return [...theirs].filter(
    text => text.length >= SHORTEST && !IS_ID.test(text) && !others.some(other => other.includes(text)),
  )
}

/** Returns the places where any of the texts still occurs. */
const left = (stored: Stored[], texts: string[]): string[] =>
  stored.flatMap(({ place, document }) =>
    textsIn(document)
      .filter(text => texts.some(gone => text.includes(gone)))
      .map(text => `${place}: ${text}`),
  )

/** Returns the words that occur in any file or queue. */
async function found(stores: Stores, words: string[]): Promise<string[]> {
  const texts = [Buffer.from(await stores.queues())]
  for (const folder of stores.folders())
    for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name)
      // A file may be deleted during the search.
      if (entry.isFile() && !path.startsWith(join(folder, 'sandbox')))
        texts.push(await readFile(path).catch(() => Buffer.alloc(0)))
    }
  return words.filter(word => texts.some(text => text.includes(word)))
}

/** Creates one of everything that a person leaves behind, each with a distinct word. */
async function leaveTraces(system: System, person: Person, stores: Stores): Promise<string[]> {
  const word = (what: string) => `${what}${randomUUID().replaceAll('-', '')}`
  const [upload, title, correction, key, hook, contact, letter] = [
    ...['upload', 'title', 'correction', 'key', 'hook', 'contact', 'letter'].map(word),
  ] as [string, string, string, string, string, string, string]
  const { http, email, number } = person
  await person.sendText(person.user.link_code ?? '')
  await person.sendNote(await voiceNote(), { voice: true })
  const [note] = await person.ended(1)
  const { transcription } = (await http.get(`/transcriptions/${note?.id}`)).data.data
  const segments = [{ id: transcription.segments[0].id, text: correction }]
  expect((await http.patch(`/transcriptions/${note?.id}`, { segments })).status).toBe(200)
  const facts = { name: `${upload}.ogg`, title, key: randomUUID() }
  expect((await person.upload(await voiceNote(), facts)).status).toBe(201)
  await person.ended(2)
  const telegramId = newNumber()
  const telegram = await linkTelegram(system, person, telegramId)
  // A command is stored with its chat, an answer with the provider's id, which contains the chat.
  await telegram.sendText('latest')
  await telegram.told(/1\. /)
  expect((await http.post('/keys', { name: key, scopes: ['read'] })).status).toBe(201)
  const events = ['transcription.completed']
  expect((await http.post('/hooks', { url: `https://example.com/${hook}`, events })).status).toBe(201)
  const message = { name: 'Ada', email, subject: 'general', message: contact }
  await http.post('/contact', message)
  await person.pay()
  await stores.addDeadLetter({ id: randomUUID(), data: { userId: person.user.id, text: letter } })
  return [email, number, telegramId, upload, title, correction, key, hook, contact, letter]
}

/** Nothing of an erased person is left, even if everything is killed in the middle. */
export function erasureCase(system: () => System, stores: Stores): void {
  test('when an account is erased, then nothing of it is found in any file or queue, and its number is free', async () => {
    const person = await signUp(system())
    const traces = await leaveTraces(system(), person, stores)
    expect(await found(stores, traces)).toEqual(traces)
    const texts = textsOf(documentsIn(stores.folders()), [person.user.id, ...traces])
    expect(texts).toEqual(expect.arrayContaining([person.email, person.user.link_code]))

    const { password, http } = person
    const erase = (given: string) => http.delete('/users/account', { data: { password: given } })
    expect((await erase('wrong')).data).toMatchObject({ success: false, message: 'Invalid password' })
    expect((await erase(password)).status).toBe(200)
    await system().kill()
    await system().start()
    await eventually('nothing is left', async () => {
      expect(await found(stores, traces)).toEqual([])
      expect(left(documentsIn(stores.folders()), texts)).toEqual([])
    })

    expect((await erase(password)).status).toBe(401)
    expect((await person.upload(await voiceNote('late.ogg'))).status).toBe(401)
    await person.mail(/^Your Voxscribe account has been deleted$/)
    const { data: atStripe } = await axios.get(`${system().sandboxUrl}/api/stripe/subscriptions`)
    const theirs = atStripe.subscriptions.filter(
      ({ metadata }: { metadata: { user_id?: string } }) => metadata.user_id === person.user.id,
    )
    expect(theirs.map(({ status }: { status: string }) => status)).toEqual(['canceled'])

    const again = await person.open.post('/auth/register', {
      first_name: 'Ada',
      last_name: 'Lovelace',
      email: person.email,
      wtp_number: person.number.slice(1),
      password,
      country_id: '840',
    })
    expect(again.status).toBe(201)
    expect(again.data.data.user.id).not.toBe(person.user.id)
  })
}

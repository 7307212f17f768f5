import { randomUUID } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import axios from 'axios'
import { eventually } from '../testing/eventually.ts'
import { newNumber, type Person, signUp } from '../testing/person.ts'
import { voiceNote } from '../testing/speech.ts'
import type { System } from '../testing/system.ts'
import { linkTelegram } from './telegram.ts'

/** The stores of a system. */
export interface Stores {
  /** Folders with documents, media and everything else; the sandbox's folder stands for others. */
  folders(): string[]
  /** Makes this a dead letter of transcription. */
  addDeadLetter(message: object): Promise<void>
  /** Everything in the queues of the broker, if there is one. */
  queues(): Promise<string>
}

/** Returns the words that are in any file or queue. */
async function found(stores: Stores, words: string[]): Promise<string[]> {
  const texts = [Buffer.from(await stores.queues())]
  for (const folder of stores.folders())
    for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name)
      // A file may go while this looks.
      if (entry.isFile() && !path.startsWith(join(folder, 'sandbox')))
        texts.push(await readFile(path).catch(() => Buffer.alloc(0)))
    }
  return words.filter(word => texts.some(text => text.includes(word)))
}

/** One word for each thing that a person leaves behind, and each of these things. */
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
  // A command is kept with its chat, an answer with the provider's id, which names the chat.
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

/** A person who leaves is found nowhere afterwards, although everything is killed in the middle. */
export function erasureCase(system: () => System, stores: Stores): void {
  test('when an account is erased, then nothing of it is found in any file or queue, and its number is free', async () => {
    const person = await signUp(system())
    const traces = await leaveTraces(system(), person, stores)
    expect(await found(stores, traces)).toEqual(traces)

    const { password, http } = person
    const erase = (given: string) => http.delete('/users/account', { data: { password: given } })
    expect((await erase('wrong')).data).toMatchObject({ success: false, message: 'Invalid password' })
    expect((await erase(password)).status).toBe(200)
    await system().kill()
    await system().start()
    await eventually('nothing is left', async () => {
      expect(await found(stores, traces)).toEqual([])
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

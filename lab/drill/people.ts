import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Composed } from '@voxscribe/contracts/http'
import { eventually } from '@voxscribe/e2e/testing/eventually.ts'
import { newNumber } from '@voxscribe/e2e/testing/person.ts'
import { recordingAs } from '@voxscribe/e2e/testing/speech.ts'
import { webhookOf } from '@voxscribe/e2e/testing/webhook.ts'
import axios, { type AxiosInstance } from 'axios'
import { persist, until } from './persist.ts'
import type { NoteToSend } from './plan.ts'
import type { World } from './world.ts'

export interface Person {
  id: string
  number: string
  email: string
  http: AxiosInstance
}

/** Signs people up and links their numbers, before the first fault. */
export async function signUpAll(world: World, count: number): Promise<Person[]> {
  const people: Person[] = []
  for (let index = 0; index < count; index += 1) {
    const { person, linkCode } = await signUp(world, index)
    const text = { from: person.number, id: `wamid.link.${index}`, type: 'text', text: { body: linkCode } }
    await eventually('the number is linked', async () => {
      await post(world, webhookOf(text))
      return world.providers.sent.some(({ to }) => to === person.number)
    })
    people.push(person)
  }
  return people
}

async function signUp(world: World, index: number) {
  const http = axios.create({ baseURL: `${world.appUrl}/api`, timeout: 30_000 })
  const national = newNumber()
  const email = `drill-${index}@example.com`
  const { data } = await http.post('/auth/register', {
    first_name: 'Ada',
    last_name: 'Lovelace',
    email,
    wtp_number: national,
    password: 'correct horse battery',
    country_id: '840',
  })
  const { user, accessToken } = data.data as Composed['register']
  http.defaults.headers.common.authorization = `Bearer ${accessToken}`
  await http.delete('/transcriptions/sample-en')
  return { person: { id: user.id, number: `1${national}`, email, http }, linkCode: user.link_code }
}

export const noteId = ({ number }: NoteToSend) => `wamid.note.${number}`
const mediaId = ({ number }: NoteToSend) => `media-${number}`

/** Returns two seconds of speech per note, with different bytes for each. */
export async function recordings(notes: NoteToSend[]): Promise<Map<string, Buffer>> {
  const path = await recordingAs('drill.wav', '-t', '2', '-ar', '16000', '-ac', '1')
  const speech = await readFile(path)
  return new Map(
    notes.map(note => {
      // A chunk that players ignore.
      const mark = Buffer.from(String(note.number).padStart(8, '0'))
      const chunk = Buffer.concat([Buffer.from('junk'), Buffer.from([mark.length, 0, 0, 0]), mark])
      return [mediaId(note), Buffer.concat([speech, chunk])]
    }),
  )
}

/** Sends a note's webhooks, retrying each until it is accepted. */
export async function sendNote(
  world: World,
  person: Person,
  note: NoteToSend,
  startedAt: number,
): Promise<void> {
  const file = world.providers.files.get(mediaId(note))!
  const sha256 = createHash('sha256').update(file).digest('base64')
  const audio = { mime_type: 'audio/wav', sha256, id: mediaId(note), voice: true }
  const webhook = webhookOf({ from: person.number, id: noteId(note), type: 'audio', audio })
  await Promise.all(
    note.at.map(async at => {
      await until(startedAt + at)
      await persist(() => post(world, webhook))
    }),
  )
}

/** Posts a webhook as Meta does. Throws unless it is accepted. */
async function post({ appUrl }: World, { body, headers }: ReturnType<typeof webhookOf>): Promise<void> {
  await axios.post(`${appUrl}/webhooks/whatsapp`, body, { headers, timeout: 15_000 })
}

import { readFile } from 'node:fs/promises'
import type { RabbitServer } from '@voxscribe/messaging/testing'
import { eventually } from './eventually.ts'
import type { Person } from './person.ts'
import { fileWith, voiceNote } from './speech.ts'

interface Entry {
  transcriptionId: string
  reserved: boolean
}

/** Sends notes to people by turns, each in its own file; returns the ids of the messages. */
export async function sendNotes(people: Person[], count: number): Promise<string[]> {
  const speech = await readFile(await voiceNote())
  const ids: string[] = []
  for (let index = 0; index < count; index += 1) {
    // Bytes after the sound make it another file.
    const unique = `${people[0]!.number}-${index}-${Date.now()}`
    const note = fileWith(`${unique}.ogg`, Buffer.concat([speech, Buffer.from(unique)]))
    ids.push((await people[index % people.length]!.sendNote(note, { voice: true })).id)
  }
  return ids
}

/**
 * Waits until each of the people has `each` ended notes and the broker's queues are empty, then counts by message: notes
 * without a text, an answer or a charge; second ones of these; and messages that no one took, dead letters included.
 */
export async function tally(people: Person[], sent: string[], rabbit: RabbitServer) {
  const each = sent.length / people.length
  const found = { texts: 0, lost: 0, doubled: 0, stuck: 0 }
  const answered: string[] = []
  const charged: string[] = []
  const completed: string[] = []
  for (const person of people) {
    const notes = await person.ended(each)
    completed.push(...notes.filter(({ status }) => status === 'completed').map(({ id }) => id))
  }
  const queues = async () => {
    const rows = await rabbit.control('list_queues', 'messages', '--no-table-headers')
    return rows.split('\n').reduce((sum, count) => sum + Number(count), 0)
  }
  await eventually('all is handled', async () => {
    answered.splice(0)
    for (const { messages } of people) {
      const answers = (await messages()).filter(({ direction, quoted }) => direction === 'in' && quoted)
      answered.push(...answers.map(({ quoted }) => quoted!.id))
    }
    charged.splice(0)
    for (const { http } of people) {
      const { data } = await http.get('/stripe/usage', { params: { limit: 100 } })
      const entries = data.data.usage as Entry[]
      charged.push(...entries.filter(({ reserved }) => !reserved).map(entry => entry.transcriptionId))
    }
    found.stuck = await queues()
    return !found.stuck && answered.length >= sent.length && charged.length >= sent.length
  }).catch(() => {})
  const [answeredOnce, chargedOnce] = [new Set(answered), new Set(charged)]
  found.texts = completed.length
  found.lost =
    sent.filter(id => !answeredOnce.has(id)).length + completed.filter(id => !chargedOnce.has(id)).length
  found.doubled = answered.length - answeredOnce.size + charged.length - chargedOnce.size
  return found
}

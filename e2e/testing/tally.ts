import { readFile } from 'node:fs/promises'
import type { RabbitServer } from '@voxscribe/messaging/testing'
import { eventually } from './eventually.ts'
import type { Person } from './person.ts'
import { fileWith, voiceNote } from './speech.ts'

interface Entry {
  transcriptionId: string
  seconds: number
  balanceSeconds: number
  reserved?: boolean
}

/** Sends notes to people in turn, each with its own file and `repeat` webhooks. Returns the ids of the messages. */
export async function sendNotes(people: Person[], count: number, repeat = 1): Promise<string[]> {
  const speech = await readFile(await voiceNote())
  const ids: string[] = []
  for (let index = 0; index < count; index += 1) {
    // Bytes after the sound make it a different file.
    const unique = `${people[0]!.number}-${index}-${Date.now()}`
    const note = fileWith(`${unique}.ogg`, Buffer.concat([speech, Buffer.from(unique)]))
    ids.push((await people[index % people.length]!.sendNote(note, { voice: true, repeat })).id)
  }
  return ids
}

/** Returns how many notes' worth of seconds an account has lost beyond its ledger, which has one line per note. */
function chargedAgain(entries: Entry[], totalSeconds: number): number {
  const charged = entries.reduce((sum, { seconds }) => sum + seconds, 0)
  const used = totalSeconds - Math.min(totalSeconds, ...entries.map(({ balanceSeconds }) => balanceSeconds))
  return entries.length && Math.round(((used - charged) * entries.length) / charged)
}

/**
 * Waits until each person's notes have ended and the broker's queues are empty, then counts by message: notes without a
 * text, an answer or a charge; duplicates of these; and unhandled messages, including dead letters.
 */
export async function tally(people: Person[], sent: string[], rabbit: Pick<RabbitServer, 'control'>) {
  const each = sent.length / people.length
  const found = { texts: 0, lost: 0, doubled: 0, stuck: 0 }
  const answered: string[] = []
  const charged = new Set<string>()
  const completed: string[] = []
  for (const person of people) {
    const notes = await person.ended(each)
    completed.push(...notes.filter(({ status }) => status === 'completed').map(({ id }) => id))
  }
  const queues = async () => {
    const rows = await rabbit.control('list_queues', 'messages', '--no-table-headers')
    return rows.split('\n').reduce((sum, count) => sum + Number(count), 0)
  }
  let again = 0
  const isComplete = async () => {
    answered.splice(0)
    again = 0
    for (const { messages, http, plan } of people) {
      const answers = (await messages()).filter(({ direction, quoted }) => direction === 'in' && quoted)
      answered.push(...answers.map(({ quoted }) => quoted!.id))
      const { data } = await http.get('/stripe/usage', { params: { limit: 100 } })
      const entries = (data.data.usage as Entry[]).filter(({ reserved }) => !reserved)
      for (const { transcriptionId } of entries) charged.add(transcriptionId)
      again += chargedAgain(entries, ((await plan()).subscription_minutes ?? 0) * 60)
    }
    return new Set(answered).size >= sent.length && charged.size >= sent.length
  }
  // Asking the broker takes a second of processor time. Messages left in its queues may bring more answers.
  await eventually('all is handled', async () => {
    if (!(await isComplete())) return false
    found.stuck = await queues()
    return !found.stuck && isComplete()
  }).catch(async () => {
    found.stuck = await queues()
  })
  const answeredOnce = new Set(answered)
  found.texts = completed.length
  found.lost =
    sent.filter(id => !answeredOnce.has(id)).length + completed.filter(id => !charged.has(id)).length
  found.doubled = answered.length - answeredOnce.size + again
  return found
}

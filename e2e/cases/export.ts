import { readFileSync } from 'node:fs'
import axios from 'axios'
import { type Entry, fromBufferPromise } from 'yauzl'
import { eventually } from '../testing/eventually.ts'
import { type Person, signUp } from '../testing/person.ts'
import { voiceNote } from '../testing/speech.ts'
import type { System } from '../testing/system.ts'

/** Buys the plan and pays in the sandbox. */
async function subscribe(person: Person, { sandboxUrl }: System): Promise<void> {
  const { data } = await person.http.post('/stripe/create-checkout-session', { planType: 'monthly' })
  const { sessionId } = data.data
  await axios.post(`${sandboxUrl}/api/stripe/checkout/${sessionId}/pay`, {})
  expect((await person.http.post('/stripe/verify-session', { sessionId })).status).toBe(200)
}

/** Returns the files of a person's export by name. */
async function exportOf(person: Person): Promise<Map<string, Buffer>> {
  const answer = await person.http.get('/users/export', { responseType: 'arraybuffer' })
  expect(answer.status).toBe(200)
  expect(Number(answer.headers['x-expected-bytes'])).toBeGreaterThan(0)
  const zip = await fromBufferPromise(answer.data)
  const files = new Map<string, Buffer>()
  for await (const entry of zip.eachEntry() as AsyncIterable<Entry>) {
    const content = await zip.openReadStreamPromise(entry)
    files.set(entry.fileName, Buffer.concat(await content.toArray()))
  }
  return files
}

/** The export of everything is the same whether services run together or separately. */
export function exportCase(system: () => System): void {
  test('when a person exports everything, then texts, audio, payment and ledger are complete', async () => {
    const person = await signUp(system())
    const [spoken, sent] = [await voiceNote('spoken.ogg'), await voiceNote('sent.ogg')]
    await person.sendNote(spoken, { voice: true })
    await person.ended(1)
    await person.upload(sent, { title: 'Grüße 🦊 مرحبا' })
    const notes = await person.ended(2)
    await subscribe(person, system())
    await person.http.post('/keys', { name: 'A program', scopes: ['read'] })
    const ledger = await eventually('both notes are charged', async () => {
      const { usage } = (await person.http.get('/stripe/usage')).data.data
      return usage.length === 2 && !usage.some(({ reserved }: { reserved?: true }) => reserved) && usage
    })

    const files = await exportOf(person)
    const json = (name: string) => JSON.parse(String(files.get(name)))
    const readme = String(files.get('README.txt'))
    for (const name of files.keys())
      expect(readme).toContain(name.replace(/(?<=\/).*/, '').replace('README.txt', ''))
    expect(readme).toMatch(/2 notes(.|\n)*audio of 2 notes/)
    expect(json('profile.json')).toMatchObject({ email: person.email, subscription: { plan: 'monthly' } })
    expect(json('payments.json')).toMatchObject([{ amount: 4.99, currency: 'usd', paymentStatus: 'paid' }])
    expect(json('keys.json')).toMatchObject([{ name: 'A program' }])
    expect(String(files.get('keys.json'))).not.toContain('hash')
    const idsOf = (lines: { transcriptionId: string }[]) => lines.map(line => line.transcriptionId).sort()
    expect(idsOf(json('minutes.json'))).toEqual(idsOf(ledger))

    const name = `${notes[0]!.date} Grüße 🦊 مرحبا`
    expect(files.get(`audio/${name}.ogg`)).toEqual(readFileSync(sent))
    const audio = [...files].filter(([each]) => each.startsWith('audio/')).map(([, content]) => content)
    expect(audio).toContainEqual(readFileSync(spoken))
    for (const note of notes) {
      const kept = [...files.keys()].filter(each => each.startsWith('transcripts/') && each.endsWith('.json'))
      expect(kept.map(json).find(({ id }) => id === note.id)).toMatchObject({ text: note.text })
    }
    expect(String(files.get(`transcripts/${name}.txt`))).toContain(notes[0]!.text.split(' ')[0])
  })
}

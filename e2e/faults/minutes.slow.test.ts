import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { startCountingEngine } from '../testing/counting-engine.ts'
import { startOneProcess } from '../testing/one-process.ts'
import { type Person, signUp } from '../testing/person.ts'
import { speechOf } from '../testing/speech.ts'
import type { System } from '../testing/system.ts'

const UPLOADS = 10
const MINUTES = 11

describe('when ten files come at once and the minutes are enough for two', () => {
  let engine: Awaited<ReturnType<typeof startCountingEngine>>
  let system: System
  let person: Person
  beforeAll(async () => {
    engine = await startCountingEngine(50)
    system = await startOneProcess(engine.settings)
    person = await signUp(system)
  }, 120_000)
  afterAll(async () => {
    await system?.remove()
    await engine?.stop()
  })

  test('then two become text, the others say what is missing, and two are paid', async () => {
    const speech = await readFile(await speechOf(MINUTES * 60, 'long.ogg'))
    const upload = () => {
      const form = new FormData()
      // What stands behind the sound makes it another file.
      form.append('file', new Blob([new Uint8Array(speech), randomUUID()]), 'long.ogg')
      return person.http.post('/transcriptions', form)
    }
    const answers = await Promise.all(Array.from({ length: UPLOADS }, upload))
    expect(answers.map(({ status }) => status)).toEqual(Array(UPLOADS).fill(201))
    const notes = await person.ended(UPLOADS, 240_000)
    expect(notes).toHaveLength(UPLOADS)
    const failed = notes.filter(({ status }) => status === 'failed')
    expect(failed).toHaveLength(UPLOADS - 2)
    for (const note of failed) {
      expect(note).toMatchObject({ errorCode: 'out_of_minutes', text: '', audioAvailable: true })
      expect(note.error).toMatch(/minutes/)
    }
    expect(await person.plan()).toMatchObject({
      used_minutes: 2 * MINUTES,
      remaining_minutes: 30 - 2 * MINUTES,
    })
  }, 300_000)
})

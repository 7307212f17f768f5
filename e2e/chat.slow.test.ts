import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventually } from './testing/eventually.ts'
import { startOneProcess } from './testing/one-process.ts'
import { chatOf, newNumber, signUp } from './testing/person.ts'
import type { System } from './testing/system.ts'

describe('a chat', () => {
  let system: System
  beforeAll(async () => {
    system = await startOneProcess()
  })
  afterAll(() => system?.remove())

  /** Waits for the reply that quotes a message. */
  const replyTo = (chat: ReturnType<typeof chatOf>, { id }: { id: string }) =>
    eventually('a reply', 60_000, async () => {
      const reply = (await chat.messages()).find(
        ({ direction, quoted }) => direction === 'in' && quoted?.id === id,
      )
      if (!reply?.text) throw new Error('there is none')
      return reply.text
    })
  async function picture() {
    const path = join(tmpdir(), 'voxscribe-picture.jpg')
    await writeFile(path, Buffer.from('ffd8ffe000104a46494600010100000100010000ffd9', 'hex'))
    return path
  }

  test('when a person writes what comes to mind, then each message is answered', async () => {
    const person = await signUp(system)
    const say = async (text: string) => replyTo(person, await person.sendText(text))
    expect(await say('Hello?')).toMatch(/automatic.*30 minutes left/)
    expect(await say('AYUDA')).toMatch(/minutes.*help/s)
    expect(await say('minutos')).toMatch(/^You have 30 minutes left until/)
    expect(await say('my code is VX-WRONG')).toMatch(/do not know this link code.*dashboard/)
    expect(await replyTo(person, await person.sendNote(await picture()))).toMatch(/send a voice note/)
    const count = (await person.messages()).length
    await person.sendText('Thanks!')
    await person.sendText('hello again')
    await say('help')
    expect(await person.messages()).toHaveLength(count + 4)
  }, 120_000)

  test('when an unknown number writes, then the answer has a sign-up link with the number', async () => {
    const number = `1${newNumber()}`
    const chat = chatOf(system, number)
    expect(await replyTo(chat, await chat.sendText('Hola'))).toContain(`/signup?phone=${number} `)
  }, 120_000)
})

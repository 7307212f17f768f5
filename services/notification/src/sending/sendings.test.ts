import { createMemory } from '@voxscribe/service/testing'
import { createSendings } from './sendings.ts'

test("when the database fails after the provider's OK, then the message is not sent again", async () => {
  let failures = 0
  const documents = createMemory().documentsOf(async () => {
    if (failures === 0) return undefined
    failures -= 1
    throw new Error('The database is away')
  })
  const { once } = createSendings(documents, 60_000)
  let sent = 0
  const send = async () => {
    sent += 1
    failures = 3
    return { outcome: 'sent' as const, id: 'wamid.1' }
  }
  expect(await once('note:text', '15550100', send)).toEqual({ outcome: 'sent', isRepeat: false })
  expect(await once('note:text', '15550100', send)).toEqual({ outcome: 'sent', isRepeat: true })
  expect(sent).toBe(1)
})

test('when messages were sent and refused, then the records of them name no chat, and a sent one is found by its id', async () => {
  const memory = createMemory()
  const { once, byProviderId } = createSendings(memory.documentsOf(), 60_000)
  const [address, id] = ['tg:81007', '81007:5:42']
  await once('note:text', address, async () => ({ outcome: 'sent', id }))
  const message = `The number ${address} cannot be reached`
  const refused = await once('note:file', address, async () => ({
    outcome: 'refused',
    code: '21211',
    message,
  }))
  expect(refused).toEqual({ outcome: 'refused', code: '21211', isRepeat: false })
  expect(JSON.stringify(memory.all('dispatches'))).not.toContain('81007')
  expect(await byProviderId(id)).toMatchObject({ _id: 'note:text' })
})

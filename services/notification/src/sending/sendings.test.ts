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
  expect(await once('note:text', '15550100', send)).toEqual({
    outcome: 'sent',
    id: 'wamid.1',
    isRepeat: false,
  })
  expect(await once('note:text', '15550100', send)).toEqual({
    outcome: 'sent',
    id: 'wamid.1',
    isRepeat: true,
  })
  expect(sent).toBe(1)
})

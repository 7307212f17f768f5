import { openDocuments } from '../database/documents.ts'
import { startTestBackings, type TestBackings } from '../testing.ts'
import { createClosed } from './closed.ts'

const HOUR_MS = 3_600_000

let backings: TestBackings
let documents: Awaited<ReturnType<typeof openDocuments>>
beforeAll(async () => {
  backings = await startTestBackings()
  documents = await openDocuments(backings.mongoUrl, 'closed', () => {})
})
afterAll(async () => {
  await documents.close()
  await backings.stop()
})

test.each([
  ['behind', -2 * HOUR_MS],
  ['ahead', 2 * HOUR_MS],
])('when the clock of the machine that erased is two hours %s, then four sweeps follow', async (name, ms) => {
  const closed = createClosed(documents)
  await closed.erase(name)
  const stored = documents.connection.collection<{ _id: string; sweepAt: Date | null }>('closed_accounts')
  await stored.updateOne({ _id: name }, { $set: { erasedAt: new Date(Date.now() + ms) } })
  const makeDue = () =>
    stored.updateOne(
      { _id: name, sweepAt: { $ne: null } },
      { $set: { sweepAt: new Date(Date.now() - 1_000) } },
    )
  let sweeps = 0
  for (; (await makeDue()).matchedCount; sweeps++) {
    const [account] = await closed.due()
    await Promise.all([closed.swept(account!), closed.swept(account!)])
  }
  expect(sweeps).toBe(4)
})

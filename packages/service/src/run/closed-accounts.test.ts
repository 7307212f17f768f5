import { openDocuments } from '../database/documents.ts'
import { startTestBackings, type TestBackings } from '../testing.ts'
import { createClosedAccounts } from './closed-accounts.ts'

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
  const closed = createClosedAccounts(documents)
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

describe('when an account is erased, then it is known without a read', () => {
  /** Creates a process and counts its reads. */
  const process = () => {
    let reads = 0
    const model: typeof documents.model = (...of) => {
      const made = documents.model(...of)
      const { collection } = made
      const counted = Object.assign(Object.create(collection), {
        find: (...about: Parameters<typeof collection.find>) => {
          reads += 1
          return collection.find(...about)
        },
      })
      return Object.assign(Object.create(made), { collection: counted })
    }
    const closed = createClosedAccounts({ model })
    return {
      closed,
      reads() {
        const so = reads
        reads = 0
        return so
      },
    }
  }
  beforeEach(() => void documents.connection.deleteModel(/.*/))

  test.each([
    ['here', true],
    ['in another process, once the sweeps were looked at', false],
  ])('%s', async (name, isHere) => {
    const [here, other] = [process(), process()]
    const userId = `erased ${name}`
    expect(await here.closed.isErased(userId)).toBe(false)
    await (isHere ? here : other).closed.erase(userId)
    if (!isHere) await here.closed.due()
    here.reads()
    expect(await here.closed.isErased(userId)).toBe(true)
    expect(here.reads()).toBe(0)
    // A process that starts later knows it, too.
    expect(await process().closed.isErased(userId)).toBe(true)
  })
})

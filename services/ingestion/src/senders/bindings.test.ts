import { NumberDisowned } from '@voxscribe/contracts/events'
import { createMemory } from '@voxscribe/service/testing'
import { createAccounts } from './accounts.ts'
import { createBindings } from './bindings.ts'

const phoneClaimedAt = '2026-11-20T10:00:00Z'

function open() {
  const documents = createMemory().documentsOf()
  const accounts = createAccounts(documents)
  /** Applies an account's event and returns the account. */
  const apply = async (userId: string, linkCode: string, revision = 0, phone: string | null = null) => {
    await accounts.apply({
      userId,
      phone,
      phoneClaimedAt,
      linkCode,
      language: 'auto',
      uiLanguage: 'en',
      revision,
    })
    return (await accounts.byLinkCode(linkCode))!
  }
  return { documents, accounts, bindings: createBindings(documents, accounts), apply }
}

test('when one proof comes many times at once, then it is proved each time', async () => {
  const { bindings, apply } = open()
  const account = await apply('ada', 'VX-ABCDEFGH')
  const sender = { channel: 'whatsapp' as const, phone: '16505551234', messengerId: 'US.1' }
  const proofs = await Promise.all(
    Array.from({ length: 8 }, () => bindings.prove(sender, account, 'whatsapp:1')),
  )
  expect(proofs).toEqual(Array(8).fill('proved'))
  expect(await bindings.match(sender)).toMatchObject({ account: { _id: 'ada' }, proved: true })
})

test("when several accounts' codes come from one sender at once, then only one is proved", async () => {
  const { bindings, apply } = open()
  const codes = ['VX-AAAAAAAA', 'VX-BBBBBBBB', 'VX-CCCCCCCC', 'VX-DDDDDDDD']
  const rivals = await Promise.all(codes.map(code => apply(code, code)))
  for (let n = 0; n < 20; n++) {
    const sender = { channel: 'whatsapp' as const, phone: `165055520${10 + n}`, messengerId: `US.2${n}` }
    const proofs = await Promise.allSettled(
      rivals.map(rival => bindings.prove(sender, rival, `whatsapp:${rival._id}`)),
    )
    const proved = rivals.filter((_, i) => {
      const proof = proofs[i]!
      return proof.status === 'fulfilled' && proof.value === 'proved'
    })
    expect(proved).toHaveLength(1)
    expect(await bindings.match(sender)).toMatchObject({ account: { _id: proved[0]!._id }, proved: true })
  }
})

/** Two accounts with a code each, and one sender. */
async function startWith() {
  const opened = open()
  const sender = { channel: 'whatsapp' as const, phone: '16505553001', messengerId: 'US.3' }
  return {
    ...opened,
    ada: await opened.apply('ada', 'VX-AAAAAAAA'),
    bob: await opened.apply('bob', 'VX-BBBBBBBB'),
    sender,
    byPhone: { ...sender, messengerId: null },
    byId: { ...sender, phone: null },
  }
}

test("when a claim is voided, then what its account's code has proved is void as well", async () => {
  const { accounts, bindings, apply, byId } = await startWith()
  const phone = '16505553999'
  const ada = await apply('ada', 'VX-AAAAAAAA', 1, phone)
  await bindings.prove(byId, ada, 'whatsapp:1')
  expect(await bindings.match(byId)).toMatchObject({ proved: true })
  const source = { channel: 'whatsapp' as const, address: phone, messageId: 'whatsapp:2' }
  await accounts.rejectClaim(ada, NumberDisowned.create({ userId: ada._id, phone, source }))
  expect(await bindings.match(byId)).toBeUndefined()
})

test('when a sender is proved while another claim is stored for it, then the proof stays', async () => {
  const { bindings, apply, ada, bob, sender, byId } = await startWith()
  await bindings.prove(byId, ada, 'whatsapp:1')
  await apply('ada', 'VX-NEWCODE2', 1, sender.phone)
  let proof: unknown
  await bindings.match(sender, async () => {
    proof ??= await bindings.prove(byId, bob, 'whatsapp:2')
  })
  expect(proof).toBe('proved')
  expect(await bindings.match(byId)).toMatchObject({ account: { _id: bob._id }, proved: true })
})

test('when a code comes again and the user id is taken, then the number stays proved', async () => {
  const { documents, accounts, bindings, ada, bob, sender, byPhone, byId } = await startWith()
  await bindings.prove(byPhone, ada, 'whatsapp:1')
  const model: typeof documents.model = (...of) => {
    const made = documents.model(...of)
    const insertOne = async (...given: Parameters<typeof made.collection.insertOne>) => {
      await bindings.prove(byId, bob, 'whatsapp:2')
      return made.collection.insertOne(...given)
    }
    return { ...made, collection: { ...made.collection, insertOne } } as never
  }
  const crossed = createBindings({ model }, accounts)
  await expect(crossed.prove(sender, ada, 'whatsapp:3')).rejects.toThrow('Two accounts')
  expect(await bindings.prove(sender, ada, 'whatsapp:3')).toBe('taken')
  expect(await bindings.match(byPhone)).toMatchObject({ account: { _id: ada._id }, proved: true })
})

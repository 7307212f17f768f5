import type { Documents } from '@voxscribe/service'
import { startTestBackings, type TestBackings } from '@voxscribe/service/testing'
import mongoose, { type Connection, type Schema } from 'mongoose'
import { createAccounts } from './accounts.ts'
import { createBindings } from './bindings.ts'

let backings: TestBackings
let connection: Connection
beforeAll(async () => {
  backings = await startTestBackings()
  const dbName = `${backings.env.MONGO_DB_PREFIX}_bindings`
  connection = await mongoose.createConnection(backings.mongoUrl, { dbName }).asPromise()
})
afterAll(async () => {
  await connection.close()
  await backings.stop()
})

const model = <T>(name: string, schema: Schema<T>) => connection.model<T>(name, schema, name)
const documents = { model, outboxModel: model } as unknown as Documents
const phoneClaimedAt = '2026-11-20T10:00:00Z'

test('when one proof comes many times at once, then it is proved each time', async () => {
  const accounts = createAccounts(documents)
  const bindings = createBindings(documents, accounts)
  const news = {
    userId: 'ada',
    phone: null,
    phoneClaimedAt,
    linkCode: 'VX-ABCDEFGH',
    language: 'auto',
    revision: 0,
  }
  await accounts.learn(news)
  const account = (await accounts.byLinkCode(news.linkCode))!
  const sender = { channel: 'whatsapp' as const, phone: '16505551234', whatsappUserId: 'US.1' }
  const proofs = await Promise.all(
    Array.from({ length: 8 }, () => bindings.prove(sender, account, 'whatsapp:1')),
  )
  expect(proofs).toEqual(Array(8).fill('proved'))
  expect(await bindings.match(sender)).toMatchObject({ account: { _id: 'ada' }, proved: true })
})

test('when the codes of several accounts come from one sender at once, then only one of them is proved', async () => {
  const accounts = createAccounts(documents)
  const bindings = createBindings(documents, accounts)
  const codes = ['VX-AAAAAAAA', 'VX-BBBBBBBB', 'VX-CCCCCCCC', 'VX-DDDDDDDD']
  for (const linkCode of codes) {
    await accounts.learn({
      userId: linkCode,
      phone: null,
      phoneClaimedAt,
      linkCode,
      language: 'auto',
      revision: 0,
    })
  }
  const rivals = await Promise.all(codes.map(async code => (await accounts.byLinkCode(code))!))
  for (let n = 0; n < 20; n++) {
    const sender = { channel: 'whatsapp' as const, phone: `165055520${10 + n}`, whatsappUserId: `US.2${n}` }
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

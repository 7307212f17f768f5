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

const documents = { model: <T>(name: string, schema: Schema<T>) => connection.model<T>(name, schema, name) }

test('when one proof comes many times at once, then it is proved each time', async () => {
  const accounts = createAccounts(documents)
  const bindings = createBindings(documents, accounts)
  const news = { userId: 'ada', phone: null, linkCode: 'VX-ABCDEFGH', language: 'auto', revision: 0 }
  await accounts.learn(news)
  const account = (await accounts.byLinkCode(news.linkCode))!
  const sender = { channel: 'whatsapp' as const, phone: '16505551234', whatsappUserId: 'US.1' }
  const proofs = await Promise.all(Array.from({ length: 8 }, () => bindings.prove(sender, account)))
  expect(proofs).toEqual(Array(8).fill('proved'))
  expect(await bindings.match(sender)).toMatchObject({ account: { _id: 'ada' }, proved: true })
})

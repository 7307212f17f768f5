import { MongoClient, MongoNetworkError } from 'mongodb'
import { startEmbeddedMongo } from '../index.ts'

/** Writes until it ends, and prints each acknowledged write: `<client> <number>`. */
const server = await startEmbeddedMongo({ path: process.argv[2]! })
const client = await new MongoClient(server.url, { maxPoolSize: 50 }).connect()
const all = client.db('d').collection<{ _id: string; n: number }>('c')
await all.createIndex({ n: 1 })

async function storm(name: number) {
  for (let n = 1; ; n++) {
    await all.updateOne({ _id: `client${name}` }, { $set: { n } }, { upsert: true })
    await all.insertOne({ _id: `${name}-${n}`, n })
    process.stdout.write(`${name} ${n}\n`)
  }
}

/** Ignores errors of a lost server, which itself ends the process with the reason. */
function unlessGone(error: Error) {
  if (!(error instanceof MongoNetworkError)) throw error
}

await Promise.all(Array.from({ length: 50 }, (_, name) => storm(name).catch(unlessGone)))

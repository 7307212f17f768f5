import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Document } from 'mongodb'
import mongoose, { type Connection } from 'mongoose'
import { startEmbeddedMongo } from '../index.ts'

/** Connects to the server under test: the one at MONGO_URL, or else an embedded one. */
export async function openServer() {
  const { MONGO_URL } = process.env
  const path = await mkdtemp(join(tmpdir(), 'conformance-'))
  const embedded = MONGO_URL ? undefined : await startEmbeddedMongo({ path, ttlSweepSeconds: 0.2 })
  const dbName = `conformance_${process.pid}_${Date.now()}`
  const connection = await mongoose
    .createConnection(MONGO_URL ?? embedded!.url, { dbName, autoIndex: false, bufferCommands: false })
    .asPromise()
  const buildInfo = MONGO_URL ? await connection.db!.admin().buildInfo() : {}
  return {
    connection,
    isEmbedded: embedded !== undefined,
    /** FerretDB 1.24 identifies itself; it lacks some of MongoDB's operators. */
    isFerret: 'ferretdb' in buildInfo || 'ferretdbVersion' in buildInfo,
    close: async () => {
      if (MONGO_URL) await connection.dropDatabase()
      await connection.close()
      await embedded?.stop()
      await rm(path, { recursive: true })
    },
  }
}

export type Server = Awaited<ReturnType<typeof openServer>>

type Case = Document & { _id?: string | number }

let number = 0

/** Creates a collection that no other case uses, as a mongoose model without its own schema. */
export function freshModel(connection: Connection) {
  number += 1
  const schema = new mongoose.Schema<Record<string, unknown>>(
    { _id: mongoose.Schema.Types.Mixed },
    { strict: false, versionKey: false, minimize: false },
  )
  return connection.model(`Case${number}`, schema, `case${number}`)
}

/** Creates one as the driver's collection, which passes on what mongoose would cast or refuse. */
export function freshCollection(connection: Connection) {
  number += 1
  return connection.db!.collection<Case>(`case${number}`)
}

import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cp, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { promisify } from 'node:util'
import { startEmbeddedMongo } from '@voxscribe/embedded-mongo'
import { hasRabbitServer, type RabbitServer, startRabbitServer } from '@voxscribe/messaging/testing'
import { connect } from 'amqplib'
import axios from 'axios'
import { MongoClient } from 'mongodb'
import { startCountingEngine } from './testing/counting-engine.ts'
import { eventually } from './testing/eventually.ts'
import { startOneProcess } from './testing/one-process.ts'
import { chatOf, type Person, signUp } from './testing/person.ts'
import { speechOf } from './testing/speech.ts'
import { type Env, newDataDir, type System } from './testing/system.ts'

type Http = Person['http']

/** Sets or reads the number of next answers that WhatsApp refuses. */
async function refuseAnswers({ sandboxUrl }: System, rateLimited?: number): Promise<number> {
  const url = `${sandboxUrl}/api/whatsapp/faults`
  const changed = rateLimited === undefined ? axios.get(url) : axios.post(url, { rateLimited })
  return (await changed).data.rateLimited
}

/** Returns a person's account, notes, ledger and audio hashes from the API. */
async function belongingsOf(system: System, http: Http) {
  const { user } = (await http.get('/users/profile')).data.data
  const { transcriptions } = (await http.get('/transcriptions')).data.data
  const { usage } = (await http.get('/stripe/usage')).data.data
  const audio: string[] = []
  for (const { id } of transcriptions) {
    const { audioUrl } = (await http.get(`/transcriptions/${id}`)).data.data.transcription
    const { data } = await axios.get(audioUrl, { baseURL: system.appUrl, responseType: 'arraybuffer' })
    audio.push(createHash('sha256').update(data).digest('hex'))
  }
  return { user, transcriptions, usage, audio }
}

/** Returns the same session at another address. */
function clientAt({ appUrl }: System, { defaults }: Http) {
  const { authorization } = defaults.headers
  return axios.create({ baseURL: `${appUrl}/api`, headers: { authorization } as Record<string, string> })
}

/** Waits until this many notes are transcribed and charged. */
const completed = (count: number, system: System, http: Http) =>
  eventually(`${count} notes are done and charged`, async () => {
    const belongings = await belongingsOf(system, http)
    const done = belongings.transcriptions.filter(({ status }: { status: string }) => status === 'completed')
    const settled = belongings.usage.filter(({ reserved }: { reserved?: true }) => !reserved)
    if (done.length !== count || settled.length !== count)
      throw new Error(`${done.length} are done, ${settled.length} charged`)
    return belongings
  })

/** A running system that can be backed up. */
interface Place {
  system: System
  /** Stops everything and copies its data. */
  backUp(to: string): Promise<void>
  remove(): Promise<void>
}

/** Backs up as an operator does: `npm run backup -- <folder>`, `npm run restore -- <folder>`. */
async function copyData(command: 'backup' | 'restore', folder: string, dataDir: string): Promise<void> {
  const script = join(import.meta.dirname, '../deploy/local/backup.ts')
  const env = { ...process.env, DATA_DIR: dataDir }
  const { stdout } = await promisify(execFile)(process.execPath, [script, command, folder], { env })
  expect(stdout).toMatch(/^\d+ files, \d+ MB: /)
}

async function inOneFolder(env: Env, backup?: string): Promise<Place> {
  const system = await startOneProcess(env, dataDir => backup && copyData('restore', backup, dataDir))
  return {
    system,
    async backUp(to) {
      await system.stop()
      // The command creates this folder.
      await rm(to, { recursive: true, force: true })
      await copyData('backup', to, system.dataDir)
    },
    remove: system.remove,
  }
}

/** Copies Compose's volumes: documents, messages, media and keys. */
async function onRabbitAndMongo(env: Env, backup?: string): Promise<Place> {
  const copyOf = (name: string) => backup && join(backup, name)
  const documents = await newDataDir()
  if (backup) await cp(join(backup, 'mongodb'), documents, { recursive: true })
  const mongo = await startEmbeddedMongo({ path: documents })
  const rabbit = (await startRabbitServer(copyOf('rabbitmq')))!
  const rest = await inOneFolder({ ...env, MONGO_URL: mongo.url, RABBITMQ_URL: rabbit.url }, copyOf('rest'))
  return {
    system: rest.system,
    async backUp(to) {
      await rest.backUp(join(to, 'rest'))
      expect(await messagesIn(rabbit)).toBeGreaterThan(0)
      await rabbit.copyTo(join(to, 'rabbitmq'))
      await mongo.stop()
      await cp(documents, join(to, 'mongodb'), { recursive: true })
    },
    async remove() {
      await rest.remove()
      await rabbit.stop()
      await mongo.stop()
      await rm(documents, { recursive: true, force: true })
    },
  }
}

/** Counts the messages in the broker's queues. */
async function messagesIn({ url, control }: RabbitServer): Promise<number> {
  const names = (await control('list_queues', 'name', '--no-table-headers')).trim().split('\n')
  const connection = await connect(url)
  const channel = await connection.createChannel()
  const counts = await Promise.all(names.map(async name => (await channel.checkQueue(name)).messageCount))
  await connection.close()
  return counts.reduce((sum, count) => sum + count, 0)
}

const places = [
  ['one folder', inOneFolder] as const,
  ...(hasRabbitServer ? [['a database, a broker and media', onRabbitAndMongo] as const] : []),
]

test.each(places)(
  'when %s is copied after a stop, then it continues in a new place as if nothing had happened',
  async (_what, start) => {
    const engine = await startCountingEngine(0)
    const backup = await newDataDir()
    let place = await start(engine.settings)
    try {
      const person = await signUp(place.system)
      await person.sendNote(await speechOf(3, 'first.ogg'), { voice: true })
      await person.ended(1)
      await person.replies(1)
      await person.charged()
      const before = await belongingsOf(place.system, person.http)
      // The answer to this note waits; with RabbitMQ, only the broker has it.
      await refuseAnswers(place.system, 999)
      await person.sendNote(await speechOf(4, 'second.ogg'), { voice: true })
      const isRefused = async () => (await refuseAnswers(place.system)) < 999
      await eventually('an answer was refused', isRefused)
      // This note is interrupted at an arbitrary point.
      await person.sendNote(await speechOf(5, 'third.ogg'), { voice: true })
      await place.backUp(backup)
      await place.remove()

      place = await start(engine.settings, backup)
      const { system } = place
      await refuseAnswers(system, 0)
      const http = clientAt(system, person.http)
      await eventually('each is answered, once', async () => {
        const answers = (await chatOf(system, person.number).messages()).filter(({ quoted }) => quoted)
        if (answers.length !== 3) throw new Error(`${answers.length} are answered`)
      })
      const after = await completed(3, system, http)
      expect(after.user).toEqual({ ...before.user, subscription: after.user.subscription })
      expect(after.transcriptions.slice(2)).toEqual(before.transcriptions)
      expect(after.audio.slice(2)).toEqual(before.audio)
      expect(after.usage).toEqual(expect.arrayContaining(before.usage))
      const { refreshToken } = person
      expect((await axios.post(`${system.appUrl}/api/auth/refresh`, { refreshToken })).status).toBe(200)
    } finally {
      await place.remove()
      await rm(backup, { recursive: true, force: true })
      await engine.stop()
    }
  },
)

/** Copies like mongodump and mongorestore: one collection after another, while services write. */
async function copyDocuments(folder: string, from: string, to: string): Promise<void> {
  const file = new DatabaseSync(join(folder, 'embedded-mongo.sqlite'), { readOnly: true })
  const collections = file.prepare('SELECT db, name FROM collections').all() as { db: string; name: string }[]
  file.close()
  const [source, target] = [new MongoClient(from), new MongoClient(to)]
  for (const { db, name } of collections) {
    const documents = await source.db(db).collection(name).find().toArray()
    if (documents.length) await target.db(db).collection(name).insertMany(documents)
  }
  await Promise.all([source.close(), target.close()])
}

test('when documents, then media are copied from a running system, then the copy is complete', async () => {
  const engine = await startCountingEngine(0)
  const [folder, newFolder, media] = await Promise.all([newDataDir(), newDataDir(), newDataDir()])
  const [mongo, newMongo] = await Promise.all([folder, newFolder].map(path => startEmbeddedMongo({ path })))
  let system = await startOneProcess({ ...engine.settings, MONGO_URL: mongo!.url })
  try {
    const { sendNote, ended, number, http } = await signUp(system)
    await sendNote(await speechOf(3, 'first.ogg'), { voice: true })
    await ended(1)
    // The engine works on this note while the documents are copied; the third note has not arrived.
    const release = engine.hold()
    await sendNote(await speechOf(4, 'second.ogg'), { voice: true })
    await eventually('the engine has the second note', async () => engine.calls() > 1)
    await copyDocuments(folder, mongo!.url, newMongo!.url)
    release()
    const third = await sendNote(await speechOf(5, 'third.ogg'), { voice: true })
    await ended(3)
    await cp(join(system.dataDir, 'blobs'), join(media, 'blobs'), { recursive: true })
    const before = await belongingsOf(system, http)
    await system.stop()
    const { dataDir } = system
    const restored = await startOneProcess({ ...engine.settings, MONGO_URL: newMongo!.url }, async to => {
      await cp(media, to, { recursive: true })
      // The signing key and the files of WhatsApp's stand-in.
      for (const name of await readdir(dataDir))
        if (name !== 'blobs') await cp(join(dataDir, name), join(to, name), { recursive: true })
    })
    await system.remove()
    system = restored

    const again = clientAt(system, http)
    await completed(2, system, again)
    // The message sent after the copy is redelivered, and its recording replaces the copied one.
    await axios.post(`${system.sandboxUrl}/api/whatsapp/webhooks/${third.id}/resend`)
    const after = await completed(3, system, again)
    const textsOf = ({ transcriptions }: typeof after) =>
      transcriptions.map(({ id, text }: { id: string; text: string }) => ({ id, text }))
    expect(textsOf(after)).toEqual(textsOf(before))
    expect(after.audio).toEqual(before.audio)
    const stored = await readdir(join(system.dataDir, 'blobs'), { recursive: true, withFileTypes: true })
    expect(stored.filter(entry => entry.isFile())).toHaveLength(3)
    expect((await chatOf(system, number).messages()).filter(({ quoted }) => quoted).length).toBeGreaterThan(2)
  } finally {
    await system.remove()
    for (const each of [mongo, newMongo]) await each!.stop()
    for (const path of [folder, newFolder, media]) await rm(path, { recursive: true, force: true })
    await engine.stop()
  }
})

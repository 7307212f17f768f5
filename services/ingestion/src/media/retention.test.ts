import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { TranscriptionDeleted } from '@voxscribe/contracts/events'
import { bytes, graphError } from '@voxscribe/sandbox/testing'
import { eventually } from '@voxscribe/service/testing'
import { recording } from '../testing/recording.ts'
import { announcedTo, infoPath, ingestionForAll, mediaIdFor, newPhone, voiceNote } from '../testing.ts'
import { TEMPORARY_PREFIX } from './file.ts'

const NOWHERE = '00000000-0000-4000-8000-000000000000'
const app = ingestionForAll({ RETENTION_DAYS: '2', RETENTION_CHECK_EVERY: '50ms' })
let phone: string
beforeAll(async () => {
  phone = newPhone()
  await app.register('ada', phone)
})

async function storedNote() {
  const note = app.noteFrom({ from: phone })
  await app.say(note)
  return app.received(note.mediaId)
}
const lateBy = (mediaId: string, deleteAt: Date) =>
  app.stored('media').updateOne({ _id: mediaId }, { $set: { deleteAt } })
const expired = (mediaId: string) =>
  app.others.sent('MediaExpired').filter(({ data }) => data.mediaId === mediaId)
async function expire(mediaId: string) {
  await lateBy(mediaId, new Date(0))
  await eventually(() => expired(mediaId).length === 1)
}
const isDeleted = (mediaId: string) =>
  eventually(async () => (await app.mediaRecord(mediaId))?.status === 'deleted')
const lettersOf = async (mediaId: string) =>
  (await app.others.deadLetters()).filter(({ message }) => JSON.stringify(message).includes(mediaId)).length
const deleted = (mediaId: string) => TranscriptionDeleted.create({ mediaId, userId: 'ada' })

test('when stored audio expires, then it is deleted with one event; younger audio stays', async () => {
  const [old, young] = [await storedNote(), await storedNote()]
  const inDays = ((await app.mediaRecord(old.mediaId))?.deleteAt - Date.now()) / 86_400_000
  expect(inDays).toBeCloseTo(2, 1)
  await lateBy(old.mediaId, new Date(Date.now() - 1))
  await eventually(() => expired(old.mediaId).length === 1)
  expect(expired(old.mediaId)[0]?.data.userId).toBe('ada')
  expect(await app.blobs.exists(old.objectKey)).toBe(false)
  expect(await app.mediaRecord(old.mediaId)).toMatchObject({
    status: 'expired',
    objectKey: null,
    deleteAt: null,
  })
  expect(await app.blobs.exists(young.objectKey)).toBe(true)
  expect(expired(young.mediaId)).toEqual([])
})

test('when the service died after deleting the object, then the event comes anyway', async () => {
  const { mediaId, objectKey } = await storedNote()
  await app.blobs.delete(objectKey)
  await expire(mediaId)
})

test('when a note is deleted twice, then its audio is deleted without an event', async () => {
  const { mediaId, objectKey } = await storedNote()
  const event = deleted(mediaId)
  for (let time = 0; time < 2; time++) await app.publish(event)
  await isDeleted(mediaId)
  expect(await app.blobs.exists(objectKey)).toBe(false)
  expect(await app.mediaRecord(mediaId)).toMatchObject({ status: 'deleted', objectKey: null, deleteAt: null })
  await expire((await storedNote()).mediaId)
  expect(expired(mediaId)).toEqual([])
})

test('when a note is deleted whose audio is gone or never was, then nothing happens', async () => {
  const { mediaId } = await storedNote()
  await expire(mediaId)
  await app.publish(deleted(mediaId))
  await app.publish(deleted(NOWHERE))
  expect(await app.mediaRecord(mediaId)).toMatchObject({ status: 'expired' })
  expect(await lettersOf(mediaId)).toBe(0)
  expect(await lettersOf(NOWHERE)).toBe(0)
})

test('when more objects than one look finds cannot be deleted, then the others still are', async () => {
  const [mended, other] = [await storedNote(), await storedNote()]
  // A folder can't be deleted as an object.
  const undeletable = { objectKey: 'media', deleteAt: new Date(0) }
  await app.stored('media').updateOne({ _id: mended.mediaId }, { $set: undeletable })
  const ids = Array.from({ length: 100 }, (_, index) => `stuck-${index}`)
  const stuck = ids.map(_id => ({ _id, userId: 'ada', status: 'stored', ...undeletable }))
  await app.stored('media').insertMany(stuck)
  await lateBy(other.mediaId, new Date(1))
  await eventually(() => expired(other.mediaId).length === 1)
  expect(expired(mended.mediaId)).toEqual([])
  await app.stored('media').deleteMany({ _id: { $in: ids } })
  const { objectKey } = mended
  await app.stored('media').updateOne({ _id: mended.mediaId }, { $set: { objectKey } })
  await eventually(() => expired(mended.mediaId).length === 1)
})

test('when a note is deleted before its download, then a later try does not restore it', async () => {
  const note = voiceNote({ from: phone })
  const mediaId = mediaIdFor(note.id)
  app.on(infoPath(note.audio.id), graphError(1, 500))
  await app.say(note)
  await eventually(() => app.sandbox.callsTo(infoPath(note.audio.id)).length > 1)
  await app.publish(deleted(mediaId))
  await isDeleted(mediaId)
  app.offer(note.audio.id, recording())
  await expire((await storedNote()).mediaId)
  expect(app.downloads(note.audio.id)).toEqual([])
  expect(await app.mediaRecord(mediaId)).toMatchObject({ status: 'deleted', objectKey: null })
})

test('when a note is deleted while its announcement is repeated, then its audio does not stay', async () => {
  const note = voiceNote({ from: phone })
  const mediaId = mediaIdFor(note.id)
  const event = announcedTo('ada', note)
  const slow = app.offerSlowly(note.audio.id, bytes(recording()))
  const handled = Promise.all([app.publish(event), app.publish(event)])
  const { objectKey } = await app.received(mediaId)
  await slow.begun()
  await eventually(async () => (await app.temporaryFiles(mediaId)).length === 1)
  await app.publish(deleted(mediaId))
  await isDeleted(mediaId)
  slow.end()
  await handled
  await eventually(async () => (await app.temporaryFiles(mediaId)).length === 0)
  expect(await app.blobs.exists(objectKey)).toBe(false)
})

test('when a killed process has stored a file without its record, then the file is deleted', async () => {
  const { mediaId, objectKey } = await storedNote()
  const storing = app.stored('storing')
  await eventually(async () => (await storing.findOne({ _id: mediaId })) === null)
  const path = join(tmpdir(), `${TEMPORARY_PREFIX}${process.pid}-test`)
  await writeFile(path, recording())
  await app.blobs.putFile('media/2026/11/lost', path, recording().length)
  const at = new Date(Date.now() - 3_600_000)
  // The first file has its record; only this entry is left over.
  await storing.insertMany([
    { _id: mediaId, objectKey, at },
    { _id: 'lost', objectKey: 'media/2026/11/lost', at },
    { _id: 'under way', objectKey, at: new Date() },
  ])
  await eventually(async () => (await storing.countDocuments({})) === 1)
  expect(await app.blobs.exists('media/2026/11/lost')).toBe(false)
  expect(await app.blobs.exists(objectKey)).toBe(true)
})

test('while such a file is deleted, another try waits, and loses nothing', async () => {
  const note = app.noteFrom({ from: phone })
  const objectKey = `media/2026/11/${note.mediaId}`
  const storing = app.stored('storing')
  await storing.insertOne({ _id: note.mediaId, objectKey, at: new Date(), isBeingDeleted: true })
  const said = app.say(note)
  await eventually(() => app.downloads(note.audio.id).length > 1)
  expect(await app.mediaRecord(note.mediaId)).toBeNull()
  await storing.updateOne({ _id: note.mediaId }, { $set: { at: new Date(0) } })
  await said
  const received = await app.received(note.mediaId)
  expect(await app.blobs.exists(received.objectKey)).toBe(true)
})

test('when a killed process has left half a download, then it is deleted', async () => {
  // A living process would hold the lock.
  const folder = join(tmpdir(), `voxscribe-${randomUUID()}`)
  await mkdir(folder)
  await writeFile(join(folder, 'left'), recording())
  await writeFile(join(folder, 'in-use'), '')
  await eventually(() => !existsSync(folder))
})

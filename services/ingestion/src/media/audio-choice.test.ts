import { TranscriptionCompleted, UserUpdated } from '@voxscribe/contracts/events'
import { accountOf, ingestionForAll, newPhone, unique } from '../testing.ts'

const DAY_MS = 86_400_000
const EVER = new Date(0)
// The retention job must not run during the tests.
const app = ingestionForAll({ RETENTION_DAYS: '20', RETENTION_CHECK_EVERY: '1h' })

interface Choice {
  keep?: boolean
  days?: number
  since?: Date
}

/** A person whose choices the test publishes. */
async function person() {
  const [userId, phone] = [unique('person-'), newPhone()]
  await app.register(userId, phone)
  let revision = 0
  const news = ({ keep = true, days, since = EVER }: Choice) => {
    revision += 1
    const audio = { keep, days, since: since.toISOString() }
    return UserUpdated.create({ ...accountOf(userId, phone, revision), audio })
  }
  return {
    userId,
    news,
    choose: (choice: Choice) => app.publish(news(choice)),
    async note() {
      const note = app.noteFrom({ from: phone })
      await app.say(note)
      return app.received(note.mediaId)
    },
  }
}

function completed({ mediaId, userId }: { mediaId: string; userId: string }, at = new Date()) {
  const event = TranscriptionCompleted.create({
    transcriptionId: mediaId,
    userId,
    seconds: 3,
    attempt: 1,
    audioSeconds: 3,
    title: 'Hello',
    text: 'Hello',
    words: 1,
    language: 'en',
    engine: 'local',
    remainingSeconds: null,
    notices: [],
    source: { channel: 'web' },
  })
  return { ...event, occurredAt: at.toISOString() }
}
async function isGone({ mediaId, objectKey }: { mediaId: string; objectKey: string }) {
  const record = await app.mediaRecord(mediaId)
  const told = app.others.sent('MediaExpired').filter(({ data }) => data.mediaId === mediaId)
  const here = await app.blobs.exists(objectKey)
  expect([record?.status, told.length]).toEqual(here ? ['stored', 0] : ['expired', 1])
  return !here
}
const daysLeft = async (mediaId: string) =>
  Math.round(((await app.mediaRecord(mediaId))!.deleteAt.getTime() - Date.now()) / DAY_MS)

describe('when a person keeps no audio', () => {
  test('then it is deleted once the text is there, and not before', async () => {
    const ada = await person()
    await ada.choose({ keep: false })
    const note = await ada.note()
    expect(await isGone(note)).toBe(false)
    const event = completed(note)
    await Promise.all([app.publish(event), app.publish(event)])
    await app.publish(event)
    expect(await isGone(note)).toBe(true)
  })

  test('and says so while a note is under way, then that counts at its end', async () => {
    const ada = await person()
    const note = await ada.note()
    await ada.choose({ keep: false, since: new Date() })
    expect(await isGone(note)).toBe(false)
    await app.publish(completed(note))
    expect(await isGone(note)).toBe(true)
  })

  test('but the news of it comes after that of the text, then the audio goes as well', async () => {
    const ada = await person()
    const [before, after] = [await ada.note(), await ada.note()]
    const since = new Date()
    await app.publish(completed(before, new Date(since.getTime() - 1)))
    await app.publish(completed(after))
    await ada.choose({ keep: false, since })
    expect([await isGone(before), await isGone(after)]).toEqual([false, true])
  })

  test('also of what is there, then completed notes lose it, and others keep it to be tried again', async () => {
    const ada = await person()
    const [done, failed] = [await ada.note(), await ada.note()]
    await app.publish(completed(done))
    await ada.choose({ keep: false, days: 5 })
    expect([await isGone(done), await isGone(failed)]).toEqual([true, false])
    expect(await daysLeft(failed.mediaId)).toBe(5)
  })

  test('and then does again, then old news does not delete what came since', async () => {
    const ada = await person()
    const off = ada.news({ keep: false, since: new Date() })
    await app.publish(off)
    await ada.choose({ keep: true, since: new Date() })
    const note = await ada.note()
    await app.publish(completed(note))
    await app.publish(off)
    expect(await isGone(note)).toBe(false)
  })

  test('also of what is there, then so it is when the news of a later choice comes first', async () => {
    const ada = await person()
    const [done, failed] = [await ada.note(), await ada.note()]
    await app.publish(completed(done))
    const off = ada.news({ keep: false, days: 5 })
    await ada.choose({ keep: true, days: 10, since: new Date() })
    const since = await ada.note()
    await app.publish(completed(since))
    expect([await isGone(done), await isGone(since)]).toEqual([false, false])
    await app.publish(off)
    expect([await isGone(done), await isGone(failed), await isGone(since)]).toEqual([true, false, false])
    expect([await daysLeft(failed.mediaId), await daysLeft(since.mediaId)]).toEqual([5, 10])
  })

  test('while the process dies after the object is deleted, then a repeat ends it with one event', async () => {
    const ada = await person()
    await ada.choose({ keep: false })
    const note = await ada.note()
    await app.blobs.delete(note.objectKey)
    await app.publish(completed(note))
    expect(await isGone(note)).toBe(true)
  })

  test('then that of other people stays', async () => {
    const [ada, bob] = [await person(), await person()]
    const note = await bob.note()
    await app.publish(completed(note))
    await ada.choose({ keep: false })
    expect(await isGone(note)).toBe(false)
  })
})

describe('when a person wants audio kept for fewer days', () => {
  test('then those count for what comes, and only for that', async () => {
    const ada = await person()
    const before = await ada.note()
    await ada.choose({ days: 3, since: new Date() })
    const after = await ada.note()
    expect([await daysLeft(before.mediaId), await daysLeft(after.mediaId)]).toEqual([20, 3])
  })

  test('also for what is there, then it is shortened from its storing on, and what is over goes', async () => {
    const ada = await person()
    const [old, young] = [await ada.note(), await ada.note()]
    const storedAgo = new Date(Date.now() + 15 * DAY_MS)
    await app.stored('media').updateOne({ _id: old.mediaId }, { $set: { deleteAt: storedAgo } })
    await ada.choose({ days: 4 })
    expect(await isGone(old)).toBe(true)
    expect(await daysLeft(young.mediaId)).toBe(4)
    await ada.choose({ days: 4 })
    await ada.choose({ days: 10 })
    expect(await daysLeft(young.mediaId)).toBe(4)
  })

  test('but more than the installation keeps it, then its days count', async () => {
    const ada = await person()
    await ada.choose({ days: 30 })
    expect(await daysLeft((await ada.note()).mediaId)).toBe(20)
  })
})

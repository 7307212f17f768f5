import { join } from 'node:path'
import { AccountErased, NoteCommandReceived, QuotaReserved } from '@voxscribe/contracts/events'
import { eventually } from '@voxscribe/service/testing'
import { tone } from '@voxscribe/speech/testing'
import { deskWithSphinx } from '../testing.ts'

const { folder, desk, sphinx } = await deskWithSphinx({ TRANSCRIPTION_CONCURRENCY: '1' })

const erased = (userId: string) =>
  AccountErased.create({
    userId,
    phone: null,
    email: 'ada@example.com',
    firstName: 'Ada',
    uiLanguage: 'en',
  })

test('when an account is erased while its note waits for minutes, then late news of it make nothing', async () => {
  const received = await desk.receive(await tone(join(folder, 'note.wav')))
  const { userId } = received.data
  const asked = await eventually(() => desk.bus.sent('MediaNormalised')[0])
  expect(await desk.notes.countDocuments({ userId })).toBe(1)
  await desk.bus.publish(erased(userId))
  expect(await desk.notes.countDocuments({})).toBe(0)
  await desk.bus.publish(QuotaReserved.causedBy(asked, { ...asked.data, remainingSeconds: 60 }))
  await desk.bus.publish(received)
  expect(await desk.notes.countDocuments({})).toBe(0)
  expect(desk.bus.sent('TranscriptionCompleted')).toEqual([])
})

test('when an account is erased while an engine hears its note, then its text goes nowhere', async () => {
  await sphinx.hold()
  const { data } = await desk.receive(await tone(join(folder, 'heard.wav'), 61), { userId: 'leaving' })
  await desk.reserve(data.mediaId)
  await eventually(async () => (await sphinx.runs()) > 0)
  await desk.bus.publish(erased(data.userId))
  expect(await desk.notes.countDocuments({})).toBe(0)
  await sphinx.release()
  // This note needs the only place for long notes, so when it is complete, the work on the first one is over.
  await desk.complete(await tone(join(folder, 'next.wav'), 63), { userId: 'someone else' })
  expect(await desk.notes.countDocuments({ userId: data.userId })).toBe(0)
  expect(desk.bus.sent('TranscriptionCompleted').map(({ data }) => data.userId)).toEqual(['someone else'])
  expect(desk.bus.sent('TranscriptionFailed')).toEqual([])
})

test('when an account is erased, then a note whose deletion could be taken back is gone, too', async () => {
  const { id } = await desk.complete(await tone(join(folder, 'hidden.wav')), { userId: 'hiding' })
  await desk.bus.publish(
    NoteCommandReceived.create({
      userId: 'hiding',
      command: { name: 'delete' },
      source: { channel: 'whatsapp', address: '16505550199', messageId: 'wamid.delete' },
    }),
  )
  await eventually(async () => (await desk.notes.countDocuments({ userId: 'hiding' })) === 0)
  expect(await desk.notes.countDocuments({ _id: id })).toBe(1)
  await desk.bus.publish(erased('hiding'))
  expect(await desk.notes.findOne({ _id: id })).toBeNull()
})

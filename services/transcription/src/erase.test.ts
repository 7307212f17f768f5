import { join } from 'node:path'
import { AccountErased, QuotaReserved } from '@voxscribe/contracts/events'
import { eventually } from '@voxscribe/service/testing'
import { deskWithSphinx, tone } from './testing.ts'

const { folder, desk } = await deskWithSphinx()

test('when an account is erased while its note waits for minutes, then late news of it make nothing', async () => {
  const received = await desk.receive(await tone(join(folder, 'note.wav'), 200))
  const { userId } = received.data
  const asked = await eventually(() => desk.bus.sent('MediaNormalised')[0])
  expect(await desk.notes.countDocuments({ userId })).toBe(1)
  const person = {
    userId,
    phone: null,
    email: 'ada@example.com',
    firstName: 'Ada',
    uiLanguage: 'en' as const,
  }
  await desk.bus.publish(AccountErased.create(person))
  expect(await desk.notes.countDocuments({})).toBe(0)
  await desk.bus.publish(QuotaReserved.causedBy(asked, { ...asked.data, remainingSeconds: 60 }))
  await desk.bus.publish(received)
  expect(await desk.notes.countDocuments({})).toBe(0)
  expect(desk.bus.sent('TranscriptionCompleted')).toEqual([])
})

import { MediaAnnounced } from '@voxscribe/contracts/events'
import { createMemory, drained } from '@voxscribe/service/testing'
import { createMedia } from './media.ts'

const announced = MediaAnnounced.create({
  mediaId: '00000000-0000-4000-8000-000000000001',
  userId: 'ada',
  providerMediaId: 'p',
  fileName: 'note.ogg',
  source: { channel: 'whatsapp', address: '1', messageId: 'm' },
})

test('while a process fetches a file again, then no other does, until it failed', async () => {
  const { documentsOf } = createMemory()
  const start = () =>
    createMedia(
      documentsOf(
        async () => undefined,
        () => {},
      ),
      () => new Date(),
      30,
      false,
    )
  const [one, other] = [start(), start()]
  const { mediaId, userId } = announced.data
  await one.waits(mediaId, userId, { announced, tries: 1, notBefore: new Date(0), told: false }, [])
  const { promise: slow, reject: fail } = Promise.withResolvers<void>()
  const fetched: string[] = []
  const first = one.workThrough('fetch', 0, async () => {
    fetched.push('one')
    await slow
  })
  await drained()
  const next = () => other.workThrough('fetch', 0, async () => fetched.push('other'))
  await next()
  fail(new Error('The database is away'))
  await expect(first).rejects.toMatchObject({ errors: [new Error('The database is away')] })
  expect(fetched).toEqual(['one'])
  await next()
  expect(fetched).toEqual(['one', 'other'])
})

import type { RateLimits } from '@voxscribe/service'
import { createMemory } from '@voxscribe/service/testing'
import { createNotes } from '../note/store.ts'
import { newWork } from '../queue/queue.ts'
import { received } from '../testing.ts'
import { createDeleting } from './deleting.ts'

test('when a note makes progress while it is deleted, then the deletion counts once', async () => {
  const now = () => new Date(0)
  const notes = createNotes(createMemory().documentsOf(), now, () => {})
  const event = received()
  const { mediaId: _id, userId } = event.data
  await notes.received(event, newWork('measuring', 1, now()))
  const timeline = [{ step: 'listening', at: now(), detail: null }]
  await notes.model.updateOne({ _id }, { $set: { stage: 'recognising', timeline } })
  const counted: string[] = []
  const rateLimits = ((name: string) => ({
    async count() {
      counted.push(name)
      await notes.model.updateOne({ _id }, { $set: { since: new Date(1) } })
    },
  })) as unknown as RateLimits
  const done = await createDeleting(notes, rateLimits)(_id, userId)
  expect(done).toMatchObject({ note: { _id }, isCharged: false })
  expect(counted).toHaveLength(new Set(counted).size)
})

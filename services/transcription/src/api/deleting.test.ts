import type { Envelope, EventOf } from '@voxscribe/contracts/events'
import { Problem, type RateLimits } from '@voxscribe/service'
import { createMemory } from '@voxscribe/service/testing'
import { createNotes } from '../note/store.ts'
import { newWork } from '../queue/queue.ts'
import { received } from '../testing.ts'
import { createDeleting, type Deletion } from './deleting.ts'

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
  const done = await createDeleting(notes, rateLimits).remove(_id, userId)
  expect(done).toMatchObject({ note: { _id }, charged: null })
  expect(counted).toHaveLength(new Set(counted).size)
})

describe('when a note in progress has text that could be read', () => {
  const now = () => new Date(0)
  const part = (from: number, to: number) => ({
    ...{ from, to, engine: 'local whisper-base', asked: 'auto', language: 'en', timesExact: true },
    segments: [{ id: '1', from, to, text: `Words from ${from}.`, confidence: null, noSpeech: null }],
  })
  const endings: [string, (deletion: Deletion, id: string, userId: string) => Promise<unknown>][] = [
    ['deleted', (deletion, id, userId) => deletion.remove(id, userId)],
    ['revoked', (deletion, id, userId) => deletion.revoke(id, userId)],
  ]

  /** Deletes a note of 15 minutes after these seconds were recognized. Returns the charge and the limits counted. */
  async function ended(
    end: (typeof endings)[number][1],
    heard: number,
    changes: object = {},
    mayMore = true,
  ) {
    const sent: Envelope[] = []
    const documents = createMemory().documentsOf(undefined, event => sent.push(event))
    const notes = createNotes(documents, now, () => {})
    const event = received()
    const { mediaId: _id, userId } = event.data
    await notes.received(event, newWork('measuring', 1, now()))
    const timeline = [{ step: 'listening', at: now(), detail: null }]
    const parts = heard ? [part(0, heard / 2), part(heard / 2, heard)] : []
    const heardOf = { stage: 'recognising', timeline, parts, durationSeconds: 900, ...changes }
    await notes.model.updateOne({ _id }, { $set: heardOf as never })
    const counted: string[] = []
    const rateLimits = ((name: string) => ({
      async count() {
        counted.push(name)
        if (!mayMore) throw new Problem(429, 'rate_limited', 'Too many')
      },
    })) as unknown as RateLimits
    await end(createDeleting(notes, rateLimits), _id, userId)
    const failed = sent.find(({ type }) => type === 'transcription-failed') as
      | EventOf<'TranscriptionFailed'>
      | undefined
    return { seconds: failed?.data.seconds, counted }
  }

  describe.each(endings)('and is %s', (_how, end) => {
    test.each([
      [600, 540],
      [61, 1],
      [60, 0],
      [0, 0],
    ])('after %d s, then %d s are charged', async (heard, seconds) => {
      expect(await ended(end, heard)).toEqual({ seconds, counted: ['refresh-person', 'deleted-bytes'] })
    })
    test('beyond the limits, then its length is charged', async () => {
      expect((await ended(end, 600, {}, false)).seconds).toBe(900)
    })
    test('and its bytes were paid for, then it is free', async () => {
      expect((await ended(end, 600, { sameAs: 'another' })).seconds).toBe(0)
    })
  })
  test('in its second attempt, and is deleted, then it is charged as in its first', async () => {
    expect(await ended(endings[0]![1], 600, { attempt: 2 })).toEqual({ seconds: 540, counted: [] })
  })
})

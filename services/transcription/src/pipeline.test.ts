import type { GistChoice } from '@voxscribe/contracts/business'
import { QuotaReserved } from '@voxscribe/contracts/events'
import { createHandlers } from './api/handlers.ts'
import type { NoteRecord, WorkStep } from './note/record.ts'
import { following, ROAD } from './pipeline.ts'
import { received } from './testing.ts'

test('when an event comes that brings a note to a step, then the note is put there', async () => {
  const entered: string[] = []
  const queue = { enqueue: async (step: string) => void entered.push(step) }
  const sameAudio = { findMatch: async () => null }
  const handlers = createHandlers({ queue, sameAudio } as never)
  const event = received()
  const minutes = {
    transcriptionId: event.data.mediaId,
    userId: 'u1',
    attempt: 1,
    seconds: 3,
    remainingSeconds: 9,
  }
  await handlers.MediaReceived(event)
  await handlers.QuotaReserved(QuotaReserved.causedBy(event, minutes))
  expect(entered.map(step => ROAD[step as keyof typeof ROAD].begins)).toEqual([
    'MediaReceived',
    'QuotaReserved',
  ])
})

const SHORT = { spoken: [0, 2], durationSeconds: 2 }

test.each([
  ['listening', 'all', true, 'summarising'],
  ['listening', 'off', true, null],
  ['listening', 'long', true, null],
  ['listening', 'all', false, null],
  ['voices', 'all', true, 'summarising'],
  ['measuring', 'all', true, null],
  ['summarising', 'all', true, null],
  ['summarising', 'all', true, 'forming', [{}]],
  ['listening', 'off', true, 'forming', [{}]],
  ['listening', 'off', false, null, [{}]],
] as [WorkStep, GistChoice, boolean, WorkStep | null, object[]?][])(
  'when %s of a short note is done, with gists of %s and a text model: %s, then %s follows',
  async (step, gists, isOn, next, fitting = []) => {
    const note = { ...SHORT, gists } as NoteRecord
    const forms = { fitting: async () => fitting } as never
    expect(
      await following(step, note, {
        textWork: { isOn: () => isOn, automatically: (_note, make) => make() },
        forms,
      }),
    ).toBe(next)
  },
)

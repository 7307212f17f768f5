import { Problem, type RateLimits } from '@voxscribe/service'
import type { NoteRecord } from '../note/record.ts'
import { REFRESHES } from '../note/repeats.ts'
import type { Notes } from '../note/store.ts'

/** Rule of the product: deletions while an engine listens that are free. They also count as refreshes of the person. */
const SAME_BYTES = { points: 5, seconds: 86_400 }

/** Deletes a note. Beyond the limits one whose engine was asked is charged: else engines would work for free. */
export function createDeleting(notes: Notes, rateLimits: RateLimits) {
  const perPerson = rateLimits(REFRESHES.name, REFRESHES, true)
  const perBytes = rateLimits('deleted-bytes', SAME_BYTES, true)

  async function secondsToCharge(note: NoteRecord): Promise<number> {
    const { userId, sha256, _id } = note
    const counted = [perPerson.count(userId), perBytes.count(`${userId} ${sha256 ?? _id}`)]
    const refused = (await Promise.allSettled(counted)).find(each => each.status === 'rejected')
    if (!refused) return 0
    const { reason } = refused
    if (reason instanceof Problem && reason.status === 429) return note.durationSeconds ?? 0
    throw reason
  }

  return async (id: string, userId: string): Promise<{ note: NoteRecord; isCharged: boolean } | null> => {
    let charged = 0
    let costs: Promise<number> | undefined
    const note = await notes.deleted(id, userId, async found => {
      const isOwed = wasEngineAsked(found)
      // Counted once: a note that has moved on meanwhile is read again.
      if (isOwed) costs ??= secondsToCharge(found)
      charged = (isOwed && (await costs)) || 0
      return charged
    })
    return note && { note, isCharged: charged > 0 }
  }
}

/** A refresh was counted when it was asked for, and so was the same audio in another language. */
const wasEngineAsked = ({ status, timeline, attempt, sameAs }: NoteRecord) =>
  status === 'processing' && attempt === 1 && !sameAs && timeline.some(({ step }) => step === 'listening')

const WHY_CHARGED = 'because you have deleted many notes while they were being transcribed.'
export const DELETED_AND_CHARGED = `Deleted. Its minutes were charged, ${WHY_CHARGED}`

export const deletedInBulk = (count: number, charged: number): string =>
  `${counted(count)} deleted.${charged ? ` The minutes of ${charged} were charged, ${WHY_CHARGED}` : ''}`

export const counted = (count: number) => (count === 1 ? '1 note' : `${count} notes`)

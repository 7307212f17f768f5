import { DELETED_FREE_SECONDS } from '@voxscribe/contracts/limits'
import { lengthInWords } from '@voxscribe/contracts/wording'
import { english } from '@voxscribe/languages'
import { Problem, type RateLimits } from '@voxscribe/service'
import type { NoteRecord } from '../note/record.ts'
import { REFRESHES } from '../note/repeats.ts'
import type { Notes } from '../note/store.ts'
import { partialOf } from '../pages/partial.ts'

/** Product limit per file: free deletions while an engine is at work. Each also counts as a refresh of the person. */
const SAME_BYTES = { points: 5, seconds: 86_400 }

/** Why a deletion is charged. `read`: part of the text was there already; `repeats`: the limits were exceeded. */
type Charged = 'read' | 'repeats' | null

export type Deletion = ReturnType<typeof createDeleting>

/**
 * Deletes notes. A note in progress is charged for the text that could be read, less a minute. Beyond the limits, a
 * note whose engine has begun is charged for its length, so that engines don't work for free.
 */
export function createDeleting(notes: Notes, rateLimits: RateLimits) {
  const perPerson = rateLimits(REFRESHES.name, REFRESHES, true)
  const perBytes = rateLimits('deleted-bytes', SAME_BYTES, true)

  async function isBeyondLimits({ userId, sha256, _id }: NoteRecord): Promise<boolean> {
    const counted = [perPerson.count(userId), perBytes.count(`${userId} ${sha256 ?? _id}`)]
    const refused = (await Promise.allSettled(counted)).find(each => each.status === 'rejected')
    if (!refused) return false
    const { reason } = refused
    if (reason instanceof Problem && reason.status === 429) return true
    throw reason
  }

  /** Computes the charge of one deletion. It counts once against the limits, even if the note has to be read again. */
  function costs() {
    let charged: Charged = null
    let beyond: Promise<boolean> | undefined
    return {
      charged: () => charged,
      async secondsOf(note: NoteRecord): Promise<number> {
        charged = null
        if (wasEngineAsked(note)) beyond ??= isBeyondLimits(note)
        const isBeyond = wasEngineAsked(note) && (await beyond)
        const seconds = isBeyond ? (note.durationSeconds ?? 0) : secondsRead(note)
        if (seconds) charged = isBeyond ? 'repeats' : 'read'
        return seconds
      },
    }
  }

  return {
    /** Deletes a person's note; null if they have no note with this id. */
    async remove(id: string, userId: string): Promise<{ note: NoteRecord; charged: Charged } | null> {
      const { charged, secondsOf } = costs()
      const note = await notes.deleted(id, userId, secondsOf)
      return note && { note, charged: charged() }
    },

    /** Deletes a note that was revoked at its source, unless its text is or was complete. */
    revoke: (id: string, userId: string): Promise<void> =>
      notes.withdrawn(id, userId, {
        mayGo: ({ status, attempt }) => status === 'processing' && attempt === 1,
        chargeFor: costs().secondsOf,
      }),
  }
}

/** Whether an engine has begun a first attempt. Refreshes and repeats in another language are counted as they begin. */
const wasEngineAsked = ({ status, timeline, attempt, sameAs }: NoteRecord) =>
  status === 'processing' && attempt === 1 && !sameAs && timeline.some(({ step }) => step === 'listening')

/** Returns the seconds to charge. Audio is not charged twice, and billing charges a note once over all attempts. */
const secondsRead = (note: NoteRecord): number =>
  note.sameAs ? 0 : Math.max(0, (partialOf(note)?.seconds ?? 0) - DELETED_FREE_SECONDS)

const WHY_CHARGED = 'because you have deleted many notes while they were being transcribed.'
const FREE = lengthInWords(english, DELETED_FREE_SECONDS)
const DELETED = {
  read: `Deleted. The part that was already transcribed was charged, less ${FREE}.`,
  repeats: `Deleted. Its minutes were charged, ${WHY_CHARGED}`,
}
export const deletedOne = (charged: Charged): string => (charged ? DELETED[charged] : 'Transcription deleted')

export const deletedInBulk = (count: number, repeats: number, read: number): string =>
  [
    `${counted(count)} deleted.`,
    repeats && `Minutes were charged for ${repeats} of them, ${WHY_CHARGED}`,
    read && `The part that was already transcribed was charged for ${read} of them, less ${FREE} each.`,
  ]
    .filter(Boolean)
    .join(' ')

export const counted = (count: number) => (count === 1 ? '1 note' : `${count} notes`)

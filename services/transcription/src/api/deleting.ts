import { DELETED_FREE_SECONDS } from '@voxscribe/contracts/limits'
import { lengthInWords } from '@voxscribe/contracts/wording'
import { english } from '@voxscribe/languages'
import { Problem, type RateLimits } from '@voxscribe/service'
import type { NoteRecord } from '../note/record.ts'
import { REFRESHES } from '../note/repeats.ts'
import type { Notes } from '../note/store.ts'
import { partialOf } from '../pages/partial.ts'

/** Rule of the product: deletions while an engine listens that are free. They also count as refreshes of the person. */
const SAME_BYTES = { points: 5, seconds: 86_400 }

/** Why a deletion was charged. `read`: text was there already; `repeats`: the person has deleted many such notes. */
type Charged = 'read' | 'repeats' | null

export type Deletion = ReturnType<typeof createDeleting>

/**
 * Deletes notes. One in progress costs what could be read of it, less a minute; beyond the limits one whose engine was
 * asked costs its length: else engines would work for free.
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

  /** Returns how a note is charged; the deletion counts once: a note that has moved on since is read again. */
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
    /** Deletes a person's note; null when they have none of this id. */
    async remove(id: string, userId: string): Promise<{ note: NoteRecord; charged: Charged } | null> {
      const { charged, secondsOf } = costs()
      const note = await notes.deleted(id, userId, secondsOf)
      return note && { note, charged: charged() }
    },

    /** Deletes a note that was revoked where it came from, unless its text is there, or was. */
    revoke: (id: string, userId: string): Promise<void> =>
      notes.withdrawn(id, userId, {
        mayGo: ({ status, attempt }) => status === 'processing' && attempt === 1,
        chargeFor: costs().secondsOf,
      }),
  }
}

/** A refresh was counted when it was asked for, and so was the same audio in another language. */
const wasEngineAsked = ({ status, timeline, attempt, sameAs }: NoteRecord) =>
  status === 'processing' && attempt === 1 && !sameAs && timeline.some(({ step }) => step === 'listening')

/** Bytes whose text was paid for cost nothing again; billing charges a note once, whichever attempt it was. */
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

import { reason } from '@voxscribe/contracts/reasons'
import { Later } from '@voxscribe/messaging'
import { lineSeconds } from '../metrics.ts'
import { queued, tryFailed } from '../note/events.ts'
import type { NoteRecord, Reserved } from '../note/record.ts'
import { isIn, STEPS } from '../note/steps.ts'
import { type Attempt, ofAttempt, type Transitions } from '../note/transitions.ts'
import type { Leases } from './leases.ts'

/** More notes at once than all processes work on. */
const MOST_AT_WORK = 1_000
/** How soon a message comes again for a note that is being worked on. */
export const LOOK_AGAIN_MS = 5_000

/** Steps for which notes wait in line. */
export type Work = 'measuring' | 'listening'

/** A note leased to this process, and the place that it had in line; 0: it has not waited. */
export interface Begun {
  note: NoteRecord
  turn: number
}

/** Filters for the notes in line for a step, and for those being worked on. */
const inLine = (step: Work) => ({ status: 'processing' as const, stage: STEPS[step].to, turn: { $gte: 0 } })
const atWork = (step: Work) => ({
  status: 'processing' as const,
  stage: STEPS[step].to,
  turn: null,
  lease: { $ne: null },
})

/** Work on notes: which process holds which note, and which notes wait in line for it. */
export function createClaims({ notes, take, now }: Transitions, leases: Leases) {
  const ours = (of: Attempt) => ({ ...ofAttempt(of), 'lease.owner': leases.owner })

  const freeOrOurs = () => ({ $or: [{ lease: null }, { 'lease.owner': leases.owner }] })

  /** Takes a note over from a process that has died; null while it seems alive. */
  async function takeOver(step: Work, { _id, attempt, lease: held }: NoteRecord): Promise<NoteRecord | null> {
    if (!held || !leases.hasRunOut(_id, held)) return null
    const where = { 'lease.owner': held.owner, 'lease.term': held.term, 'lease.beat': held.beat }
    const set = { lease: leases.fresh() }
    const taken = await take(step, { _id, attempt }, set, { where, detail: 'taken over' })
    leases.forget(_id)
    return taken
  }

  return {
    /**
     * Leases a note to this process and begins, or resumes, work on it. Null when the attempt is over or at another
     * step; throws `Later` while another process works on it.
     */
    async begin(step: Work, of: Attempt, set: { reserved?: Reserved } = {}): Promise<NoteRecord | null> {
      const note = await take(step, of, { ...set, lease: leases.fresh() }, { where: freeOrOurs() })
      if (note) return note
      const held = await notes.findOne({ ...ofAttempt(of), ...isIn(STEPS[step].from) }).lean()
      if (!held) return null
      const taken = await takeOver(step, held)
      if (taken) return taken
      throw new Later('Another process works on this note', LOOK_AGAIN_MS)
    },

    /** Leases the next note in line to this process; null when none that fits is waiting. */
    async next(step: Work, fits: Record<string, unknown> = {}): Promise<Begun | null> {
      for (;;) {
        const first = await notes
          .findOne({ ...inLine(step), ...fits }, { attempt: 1, turn: 1, since: 1 })
          .sort({ turn: 1, since: 1 })
          .lean()
        if (!first) return null
        const { turn } = first
        const note = await take(step, first, { lease: leases.fresh() }, { where: { turn, lease: null } })
        if (!note) continue
        lineSeconds.observe({ step }, (now().getTime() - first.since.getTime()) / 1000)
        return { note, turn: turn ?? 0 }
      }
    },

    /** Takes over a note whose process died while it was at this step. */
    async abandoned(step: Work, isOurs: (of: Attempt) => boolean): Promise<Begun | null> {
      for (const held of await notes.find(atWork(step)).limit(MOST_AT_WORK).lean()) {
        const note = isOurs(held) ? null : await takeOver(step, held)
        if (note) return { note, turn: 0 }
      }
      return null
    },

    waitToMeasure: (of: Attempt, turn: number) =>
      take('inLineToMeasure', of, { turn }, { where: { turn: null, ...freeOrOurs() } }),

    /** Puts a note into the line for an engine; its sender and its page hear of a long wait. */
    async waitToListen(of: Attempt, turn: number, reserved: Reserved | null, waitSeconds?: number) {
      const note = waitSeconds ? await notes.findById(of._id).lean() : null
      const isLong = waitSeconds && note
      const set = { turn, reserved, notices: isLong ? [reason('in_line', { waitSeconds })] : [] }
      return take('inLineToListen', of, set, {
        where: { turn: null, ...freeOrOurs() },
        events: isLong ? queued(note, waitSeconds) : [],
      })
    },

    /** Returns the seconds of audio ahead of this place in line, and how many notes are being listened to. */
    async before(turn: number): Promise<{ seconds: number; atWork: number }> {
      const [sum] = await notes.aggregate<{ seconds: number }>([
        { $match: { ...inLine('listening'), turn: { $gte: 0, $lte: turn } } },
        { $group: { _id: null, seconds: { $sum: '$durationSeconds' } } },
      ])
      return { seconds: sum?.seconds ?? 0, atWork: await notes.countDocuments(atWork('listening')) }
    },

    /** Work on it has failed: the event that goes out brings it back. */
    broke: (note: NoteRecord, step: Work) =>
      take(
        `${step}Broke`,
        note,
        {},
        { where: { 'lease.owner': leases.owner }, events: [tryFailed(note, step)] },
      ),

    /** Renews this process's lease on the note; false when the note is over or another process has it. */
    async renew(of: Attempt): Promise<boolean> {
      // Past mongoose's middleware: no event waits here.
      const { matchedCount } = await notes.collection.updateOne(ours(of) as never, {
        $inc: { 'lease.beat': 1 },
      })
      return matchedCount === 1
    },

    letGo: (of: Attempt) => notes.updateOne(ours(of), { $set: { lease: null } }),
  }
}

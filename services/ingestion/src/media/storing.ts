import { type Blobs, claimOnce, type Documents, schemaOf } from '@voxscribe/service'
import { z } from 'zod'
import { forAllDue } from './due.ts'

/** Longer than any store takes for a file. */
const LEFT_MS = 1_800_000

/** A file on its way into the blob store. */
const Storing = z.object({
  _id: z.string(),
  objectKey: z.string(),
  at: z.date(),
  /** A file that a killed process left; another try waits, since it would lose its own. */
  isBeingDeleted: z.boolean().optional(),
})

/** Notes files before they are stored: one whose process was killed before it wrote their record is found by that. */
export function createStoring(
  documents: Pick<Documents, 'model'>,
  blobs: Pick<Blobs, 'delete'>,
  hasRecord: (mediaId: string, objectKey: string) => Promise<boolean>,
) {
  const storing = documents.model('storing', schemaOf(Storing).index({ at: 1 }), {
    owner: null,
    because: 'keys of files, deleted with them',
  })
  return {
    async begin(_id: string, objectKey: string): Promise<void> {
      const isOurs = await claimOnce(
        storing,
        { _id, objectKey, at: new Date() },
        { isBeingDeleted: { $ne: true } },
      )
      if (!isOurs) throw new Error('The file of an earlier try is being deleted')
    },
    async end(_id: string): Promise<void> {
      await storing.deleteOne({ _id })
    },
    /** Deletes files that killed processes have left without a record. */
    async deleteLeftovers(): Promise<void> {
      await forAllDue(
        () => storing.find({ at: { $lte: new Date(Date.now() - LEFT_MS) } }).sort({ at: 1 }),
        async ({ _id, objectKey, at }) => {
          const claim = { $set: { isBeingDeleted: true, at: new Date() } }
          if (!(await storing.updateOne({ _id, at }, claim)).matchedCount) return
          if (!(await hasRecord(_id, objectKey))) await blobs.delete(objectKey)
          await storing.deleteOne({ _id })
        },
      )
    },
  }
}

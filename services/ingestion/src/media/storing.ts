import { type Blobs, claimOnce, type Documents, schemaOf } from '@voxscribe/service'
import { z } from 'zod'
import { forAllDue } from './due.ts'

/** Longer than any blob store takes for a file. */
const LEFT_MS = 1_800_000

/** A file that is being written to the blob store. */
const Storing = z.object({
  _id: z.string(),
  objectKey: z.string(),
  at: z.date(),
  /** Left by a killed process and being deleted. Another try waits, because its own file would be deleted. */
  isBeingDeleted: z.boolean().optional(),
})

/** Records files before they are stored, to find those whose process was killed before it wrote their media record. */
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
    /** Deletes files that killed processes left without a record. */
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

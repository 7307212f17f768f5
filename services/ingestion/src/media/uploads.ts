import { randomUUID } from 'node:crypto'
import { derivedId } from '@voxscribe/contracts/events'
import { createHold, type Documents, type Lease, refusal, refusedFor, schemaOf } from '@voxscribe/service'
import { z } from 'zod'

/** How long a key is kept. */
const REMEMBERED_MS = 24 * 3_600_000
const HOLD_MS = 20_000

/** The upload under an account's idempotency key. */
const Upload = z.object({
  _id: z.string(),
  /** Absent in older records. */
  userId: z.string().optional(),
  /** Id of its note. */
  mediaId: z.string(),
  /** When the file was accepted; until then, when the key was first used. */
  at: z.date(),
  /** Of the file, hex; null until one is accepted. */
  sha256: z.string().nullable(),
  lease: z.custom<Lease>().nullable(),
  forgetAt: z.date(),
})

const uploadSchema = schemaOf(Upload)
  .index({ userId: 1 }, { sparse: true })
  .index({ forgetAt: 1 }, { expireAfterSeconds: 0 })

/** Idempotency keys of uploads (IETF draft). If two processes believe that they hold one, the first file accepted wins. */
export function createUploads(documents: Pick<Documents, 'model'>, isAlone: boolean) {
  const uploads = documents.model('uploads', uploadSchema, { owner: 'userId' })
  const hold = createHold(uploads, 'lease', { lastsMs: isAlone ? 0 : HOLD_MS })
  const times = () => ({ at: new Date(), forgetAt: new Date(Date.now() + REMEMBERED_MS) })

  return {
    /** Claims a key. Throws 409 while another upload with it is under way. */
    async claim(userId: string, key: string | undefined) {
      if (!key)
        return {
          mediaId: randomUUID(),
          accept: async (_sha256: string) => new Date(),
          release: async () => {},
        }
      const _id = derivedId('upload', userId, key)
      const fresh = { userId, mediaId: randomUUID(), sha256: null, lease: null, ...times() }
      const upload = await hold.take(_id, {}, fresh)
      if (!upload) throw refusedFor(5, 'upload_under_way')
      const { mediaId } = upload.claimed
      return {
        mediaId,
        /** Binds the key to this file. Returns the time of the first acceptance; throws 422 for a different file. */
        async accept(sha256: string): Promise<Date> {
          const first = { $set: { sha256, ...times() } }
          const after = { returnDocument: 'after' } as const
          const accepted =
            (await uploads.findOneAndUpdate({ _id, sha256: null }, first, after).lean()) ??
            (await uploads.findById(_id).lean())
          if (accepted?.sha256 === sha256) return accepted.at
          throw refusal('idempotency_key_reused')
        },
        /** Frees the key for the next upload. */
        release: () => upload.release(),
      }
    },
  }
}
export type Uploads = ReturnType<typeof createUploads>
export type Claim = Awaited<ReturnType<Uploads['claim']>>

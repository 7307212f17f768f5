import { randomUUID } from 'node:crypto'
import { derivedId } from '@voxscribe/contracts/events'
import { type Documents, insertOnce, Problem, schemaOf } from '@voxscribe/service'
import { z } from 'zod'

/** How long a key stands for one file. */
const REMEMBERED_MS = 24 * 3_600_000
/** A claim that was not renewed for this long belongs to a process that died, or whose clock is far off. */
const CLAIM_MS = 120_000
const RENEW_EVERY_MS = 30_000

/** The upload that a person's idempotency key stands for. */
const Upload = z.object({
  _id: z.string(),
  /** The note that comes of it. */
  mediaId: z.string(),
  /** When it was first sent. */
  at: z.date(),
  /** Of the file, hex; null until it is stored. */
  sha256: z.string().nullable(),
  /** While it is under way: until when nobody else may take it up. */
  claimedUntil: z.date(),
  forgetAt: z.date(),
})
type Upload = z.infer<typeof Upload>

const uploadSchema = schemaOf(Upload).index({ forgetAt: 1 }, { expireAfterSeconds: 0 })

export interface Claim {
  mediaId: string
  /** When it was first sent. */
  at: Date
  /** Of the file that was sent under this key before; null when there was none. */
  sentBefore: string | null
  /** The file is stored: from now on the key stands for it. */
  done(sha256: string): Promise<void>
  /** It failed: the key may be used again. */
  release(): Promise<void>
}

/** The idempotency keys of people's uploads (the IETF's draft of the Idempotency-Key header). */
export function createUploads(documents: Pick<Documents, 'model'>, now: () => Date) {
  const uploads = documents.model('uploads', uploadSchema)
  const later = (ms: number) => new Date(now().getTime() + ms)

  async function claimed(_id: string): Promise<Upload> {
    const [at, claimedUntil, forgetAt] = [now(), later(CLAIM_MS), later(REMEMBERED_MS)]
    const fresh = { _id, mediaId: randomUUID(), at, sha256: null, claimedUntil, forgetAt }
    if (await insertOnce(uploads, fresh)) return fresh
    const abandoned = { _id, sha256: null, claimedUntil: { $lt: now() } }
    const takenOver = await uploads
      .findOneAndUpdate(abandoned, { $set: { claimedUntil: later(CLAIM_MS) } }, { returnDocument: 'after' })
      .lean()
    const known = takenOver ?? (await uploads.findById(_id).lean())
    // It has just been released.
    if (!known) return claimed(_id)
    if (!takenOver && !known.sha256) throw underWay()
    return known
  }

  return {
    /** Takes up an upload. Throws 409 while another one under the same key is under way. */
    async claim(userId: string, key: string | undefined): Promise<Claim> {
      if (!key) return onlyOnce(now())
      const _id = derivedId('upload', userId, key)
      const { mediaId, at, sha256: sentBefore } = await claimed(_id)
      if (sentBefore) return { ...onlyOnce(at), mediaId, sentBefore }
      const renewing = setInterval(() => {
        uploads.updateOne({ _id, sha256: null }, { $set: { claimedUntil: later(CLAIM_MS) } }).catch(() => {}) // It is renewed again before the claim runs out.
      }, RENEW_EVERY_MS)
      return {
        mediaId,
        at,
        sentBefore,
        async done(sha256) {
          clearInterval(renewing)
          await uploads.updateOne({ _id }, { $set: { sha256 } })
        },
        async release() {
          clearInterval(renewing)
          await uploads.deleteOne({ _id, mediaId, sha256: null })
        },
      }
    },
  }
}
export type Uploads = ReturnType<typeof createUploads>

const onlyOnce = (at: Date): Claim => ({
  mediaId: randomUUID(),
  at,
  sentBefore: null,
  done: async () => {},
  release: async () => {},
})

const underWay = () =>
  new Problem(
    'conflict',
    'A file with this Idempotency-Key is being sent right now. Try again in a moment.',
    {
      code: 'upload_under_way',
      retryAfterSeconds: 5,
    },
  )

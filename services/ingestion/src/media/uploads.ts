import { randomUUID } from 'node:crypto'
import { derivedId } from '@voxscribe/contracts/events'
import { type Documents, type Lease, refusal, refusedFor, schemaOf } from '@voxscribe/service'
import { z } from 'zod'

/** How long a key is kept. */
const REMEMBERED_MS = 24 * 3_600_000
const LEASE_MS = 20_000

/** An upload under an account's idempotency key. */
const Upload = z.object({
  _id: z.string(),
  userId: z.string(),
  mediaId: z.string(),
  /** When the file was accepted; until then, when the key was first used. */
  at: z.date(),
  /** The file's hash (hex); null until a file is accepted. */
  sha256: z.string().nullable(),
  lease: z.custom<Lease>().nullable(),
  forgetAt: z.date(),
})

const uploadSchema = schemaOf(Upload)
  .index({ userId: 1 }, { sparse: true })
  .index({ 'lease.owner': 1 }, { sparse: true })
  .index({ forgetAt: 1 }, { expireAfterSeconds: 0 })

/** Idempotency keys of uploads (IETF draft). If two processes both hold one, the first accepted file wins. */
export function createUploads(documents: Pick<Documents, 'model' | 'hold'>) {
  const uploads = documents.model('uploads', uploadSchema, { owner: 'userId' })
  const hold = documents.hold(uploads, 'lease', { leaseMs: LEASE_MS })
  const times = () => ({ at: new Date(), forgetAt: new Date(Date.now() + REMEMBERED_MS) })

  /** Claims an id; null while another upload holds it. */
  async function take(userId: string, _id: string) {
    const fresh = { userId, mediaId: randomUUID(), sha256: null, lease: null, ...times() }
    const upload = await hold.take(_id, {}, fresh)
    return upload && { _id, mediaId: upload.claimed.mediaId, release: () => upload.release() }
  }

  /** Binds a claim to a file. Returns when it was first accepted; throws 422 for a different file. */
  async function bind(_id: string, sha256: string): Promise<Date> {
    const first = { $set: { sha256, ...times() } }
    const after = { returnDocument: 'after' } as const
    const accepted =
      (await uploads.findOneAndUpdate({ _id, sha256: null }, first, after).lean()) ??
      (await uploads.findById(_id).lean())
    if (accepted?.sha256 === sha256) return accepted.at
    throw refusal('idempotency_key_reused')
  }

  return {
    /** Claims a key. Throws 409 while another upload with it is in progress. */
    async claim(userId: string, key: string | undefined) {
      if (!key) return unkeyed()
      const taken = await take(userId, derivedId('upload', userId, key))
      if (!taken) throw refusedFor(5, 'upload_under_way')
      const { _id, mediaId, release } = taken
      return {
        mediaId,
        accept: async (sha256: string) => ({ mediaId, at: await bind(_id, sha256) }),
        release,
      }
    },

    /**
     * A claim keyed by the file itself: the same file in the same language is one note, unless that note was deleted,
     * or both are uploaded at the same moment.
     */
    claimOnce(userId: string, isDeleted: (mediaId: string) => Promise<boolean>) {
      let held: Awaited<ReturnType<typeof take>> = null
      return {
        ...unkeyed(),
        async accept(sha256: string, language = '') {
          const _id = derivedId('upload-of', userId, sha256, language)
          held = await take(userId, _id)
          if (!held) return unkeyed().accept()
          const at = await bind(_id, sha256)
          if (!(await isDeleted(held.mediaId))) return { mediaId: held.mediaId, at }
          const another = { mediaId: randomUUID(), ...times() }
          await uploads.updateOne({ _id }, { $set: another })
          return another
        },
        release: async () => held?.release(),
      }
    },
  }
}

/** A claim without a key: the upload becomes a new note. */
function unkeyed() {
  const mediaId = randomUUID()
  return { mediaId, accept: async () => ({ mediaId, at: new Date() }), release: async () => {} }
}
export interface Claim {
  /** The note's id, unless the file determines it. */
  mediaId: string
  /** Accepts a file; returns its note's id, and when it was first accepted. */
  accept(sha256: string, language: string | undefined): Promise<{ mediaId: string; at: Date }>
  release(): Promise<unknown>
}

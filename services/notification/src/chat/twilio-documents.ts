import { randomBytes } from 'node:crypto'
import { type Documents, schemaOf } from '@voxscribe/service'
import type { Express } from 'express'
import { z } from 'zod'

/** A file that Twilio fetches: it takes no uploads. */
const TwilioDocument = z.object({
  /** 256 random bits: the address is all that is needed to read the file. */
  _id: z.string(),
  fileName: z.string(),
  content: z.string(),
  expiresAt: z.date(),
})

/** Twilio fetches at once; a queue of theirs takes longer. */
const LIFE_MS = 3_600_000

const PATH = '/webhooks/twilio-documents'

const documentSchema = schemaOf(TwilioDocument).index({ expiresAt: 1 }, { expireAfterSeconds: 0 })

/** Files at unguessable addresses, for an hour. */
export function createTwilioDocuments(documents: Documents, publicUrl: string, now: () => Date) {
  const files = documents.model('twilio_documents', documentSchema)
  return {
    /** Returns the file's public address. */
    async publish(fileName: string, content: string): Promise<string> {
      const _id = randomBytes(32).toString('base64url')
      await files.create({ _id, fileName, content, expiresAt: new Date(now().getTime() + LIFE_MS) })
      return `${publicUrl}${PATH}/${_id}`
    },
    mount(app: Express): void {
      app.get(`${PATH}/:token`, async (request, response, next) => {
        const file = await files.findOne({ _id: request.params.token, expiresAt: { $gt: now() } }).lean()
        if (!file) return next()
        response.set('cache-control', 'private, no-store').attachment(file.fileName)
        response.type('text/plain').send(file.content)
      })
    },
  }
}

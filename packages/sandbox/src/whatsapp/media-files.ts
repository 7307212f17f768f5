import { createHash } from 'node:crypto'
import { createReadStream, mkdirSync, rmSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { NextFunction, Request, Response } from 'express'
import multer from 'multer'
import { type Media, newMediaId } from './media-store.ts'
import type { WhatsAppStore } from './store.ts'

const MB = 1024 * 1024
/** WhatsApp's limits in bytes; anything larger than its kind allows goes as a document. */
export const MEDIA_LIMITS = { audio: 16 * MB, video: 16 * MB, image: 5 * MB, document: 100 * MB }

export type MediaFiles = ReturnType<typeof createMediaFiles>

/** The bytes of media, one file per id under `dataDir/media`. */
export function createMediaFiles(dataDir: string, store: WhatsAppStore) {
  const folder = join(dataDir, 'media')
  const incoming = join(dataDir, 'incoming')
  mkdirSync(folder, { recursive: true })
  // What a crash has left half received.
  rmSync(incoming, { recursive: true, force: true })
  mkdirSync(incoming)
  const upload = multer({
    dest: incoming,
    limits: { fileSize: MEDIA_LIMITS.document, files: 1, fields: 20, fieldSize: 64 * 1024 },
    defParamCharset: 'utf8',
  }).single('file')
  return {
    path: (media: Media) => join(folder, media.id),
    /** Express middleware: takes one `file` of a multipart body, at most 100 MB; what is not kept is thrown away. */
    receive(request: Request, response: Response, next: NextFunction) {
      response.on('close', () => {
        if (request.file) rm(request.file.path, { force: true }).catch(() => {})
      })
      return upload(request, response, next)
    },
    /** Keeps a received file under a new media id. */
    async keep(file: { path: string; size: number }, mimeType: string): Promise<Media> {
      const hash = createHash('sha256')
      await pipeline(createReadStream(file.path), hash)
      const id = newMediaId()
      await rename(file.path, join(folder, id))
      return store.addMedia({ id, mimeType, sha256: hash.digest('hex'), bytes: file.size })
    },
  }
}

import { createHash, randomInt } from 'node:crypto'
import { createReadStream, mkdirSync, rmSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { NextFunction, Request, Response } from 'express'
import multer from 'multer'
import { type Database, openObjects } from '../database.ts'

export interface Media {
  object: 'media'
  id: string
  mimeType: string
  /** Hex. */
  sha256: string
  bytes: number
}

const MB = 1024 * 1024
/** WhatsApp's limits in bytes; a file larger than its kind allows is sent as a document. */
export const MEDIA_LIMITS = { audio: 16 * MB, video: 16 * MB, image: 5 * MB, document: 100 * MB }

const MEDIA_ADDRESS_MS = 5 * 60_000

/** Returns a random number with this many digits, like Meta's ids. */
export const digits = (length: number) =>
  Array.from({ length }, (_, index) => randomInt(index ? 0 : 1, 10)).join('')

export type MediaStore = ReturnType<typeof createMediaStore>

/**
 * Stores media: data in the database, bytes in one file per id below `dataDir/media`. `path`: of the bytes, for pages.
 */
export function createMediaStore(db: Database, dataDir: string, path: string) {
  const objects = openObjects<{ media: Media }>(db)
  const folder = join(dataDir, 'media')
  const incoming = join(dataDir, 'incoming')
  mkdirSync(folder, { recursive: true })
  // Deletes files that a crash left incomplete.
  rmSync(incoming, { recursive: true, force: true })
  mkdirSync(incoming)
  const upload = multer({
    dest: incoming,
    limits: { fileSize: MEDIA_LIMITS.document, files: 1, fields: 20, fieldSize: 64 * 1024 },
    defParamCharset: 'utf8',
  }).any()
  const find = (id: string) => objects.find('media', id)
  return {
    find,
    folder,
    urlOf: ({ id }: Media) => `${path}/${id}`,
    /**
     * Express middleware: accepts the only file of a multipart body, at most 100 MB, and deletes it unless it's kept.
     */
    receive(request: Request, response: Response, next: NextFunction) {
      response.on('close', () => {
        if (request.file) rm(request.file.path, { force: true }).catch(() => {})
      })
      const done = (error?: Error & { code?: string }) => {
        const [file] = (request.files ?? []) as Express.Multer.File[]
        if (file) request.file = file
        refuse(error)
      }
      // Errors of the file or the disk have a code; those of an unreadable or incomplete form don't.
      const refuse = (error?: Error & { code?: string }) =>
        next(error && !error.code ? Object.assign(error, { status: 400 }) : error)
      return upload(request, response, done as NextFunction)
    },
    /** Stores a received file under a new media id. */
    async keep({ path, size }: { path: string; size: number }, mimeType: string): Promise<Media> {
      const hash = createHash('sha256')
      await pipeline(createReadStream(path), hash)
      const id = digits(16)
      await rename(path, join(folder, id))
      return objects.put<Media>({ object: 'media', id, mimeType, sha256: hash.digest('hex'), bytes: size })
    },
    /** Returns a new address for the bytes, valid for 5 minutes. */
    newAddress: ({ id }: Media) => `${id}-${Date.now() + MEDIA_ADDRESS_MS}`,
    /** Null if the address has expired or doesn't exist. */
    at(address: string): Media | null {
      const [id = '', expiresAt] = address.split('-')
      return Number(expiresAt) >= Date.now() ? find(id) : null
    },
    /** Sends the bytes. The receiver may disconnect. */
    send: ({ id }: Media, response: Response) =>
      pipeline(createReadStream(join(folder, id)), response).catch(() => {}),
  }
}

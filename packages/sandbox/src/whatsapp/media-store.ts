import { createHash, randomBytes, randomInt } from 'node:crypto'
import { createReadStream, mkdirSync, rmSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { NextFunction, Request, Response } from 'express'
import multer from 'multer'
import type { Database } from '../database.ts'

export interface Media {
  id: string
  mimeType: string
  /** Hex. */
  sha256: string
  bytes: number
  /** Milliseconds since 1970. */
  createdAt: number
}

const MB = 1024 * 1024
/** WhatsApp's limits in bytes; anything larger than its kind allows goes as a document. */
export const MEDIA_LIMITS = { audio: 16 * MB, video: 16 * MB, image: 5 * MB, document: 100 * MB }

const TABLES = `
  CREATE TABLE IF NOT EXISTS wa_media (
    id TEXT PRIMARY KEY, mimeType TEXT NOT NULL, sha256 TEXT NOT NULL, bytes INTEGER NOT NULL,
    createdAt INTEGER NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS wa_media_addresses (
    token TEXT PRIMARY KEY, mediaId TEXT NOT NULL, expiresAt INTEGER NOT NULL) STRICT;`

const MEDIA_ADDRESS_MS = 5 * 60_000

/** A random number of this many digits, as Meta's ids are. */
export const digits = (length: number) =>
  Array.from({ length }, (_, place) => randomInt(place ? 0 : 1, 10)).join('')

export type MediaStore = ReturnType<typeof createMediaStore>

/** Media: their data in the database, their bytes in one file per id under `dataDir/media`. */
export function createMediaStore(db: Database, dataDir: string) {
  db.exec(TABLES)
  const folder = join(dataDir, 'media')
  const incoming = join(dataDir, 'incoming')
  mkdirSync(folder, { recursive: true })
  // Files that a crash has left half received.
  rmSync(incoming, { recursive: true, force: true })
  mkdirSync(incoming)
  const upload = multer({
    dest: incoming,
    limits: { fileSize: MEDIA_LIMITS.document, files: 1, fields: 20, fieldSize: 64 * 1024 },
    defParamCharset: 'utf8',
  }).single('file')
  const find = (id: string) =>
    (db.prepare('SELECT * FROM wa_media WHERE id = ?').get(id) as Media | undefined) ?? null
  return {
    find,
    path: ({ id }: Media) => join(folder, id),
    /** Express middleware: takes one `file` of a multipart body, at most 100 MB; a file that is not kept is deleted. */
    receive(request: Request, response: Response, next: NextFunction) {
      response.on('close', () => {
        if (request.file) rm(request.file.path, { force: true }).catch(() => {})
      })
      return upload(request, response, next)
    },
    /** Keeps a received file under a new media id. */
    async keep({ path, size }: { path: string; size: number }, mimeType: string): Promise<Media> {
      const hash = createHash('sha256')
      await pipeline(createReadStream(path), hash)
      const media = {
        id: digits(16),
        mimeType,
        sha256: hash.digest('hex'),
        bytes: size,
        createdAt: Date.now(),
      }
      await rename(path, join(folder, media.id))
      db.prepare('INSERT INTO wa_media VALUES (?, ?, ?, ?, ?)').run(...Object.values(media))
      return media
    },
    /** Returns a new address for the bytes, valid for 5 minutes. */
    newAddress({ id }: Media) {
      const token = randomBytes(24).toString('base64url')
      db.prepare('DELETE FROM wa_media_addresses WHERE expiresAt < ?').run(Date.now())
      db.prepare('INSERT INTO wa_media_addresses VALUES (?, ?, ?)').run(
        token,
        id,
        Date.now() + MEDIA_ADDRESS_MS,
      )
      return token
    },
    /** Null when the address was never given or has expired. */
    at(token: string): Media | null {
      const row = db
        .prepare('SELECT mediaId FROM wa_media_addresses WHERE token = ? AND expiresAt >= ?')
        .get(token, Date.now())
      return row ? find(String(row.mediaId)) : null
    },
    /** Sends the bytes, or only half of them before the line is cut. */
    async send({ id, bytes }: Media, response: Response, isBroken: boolean) {
      const part = isBroken ? { end: Math.max(Math.floor(bytes / 2) - 1, 0) } : {}
      const whole = pipeline(createReadStream(join(folder, id), part), response, { end: !isBroken })
      await whole.catch(() => {})
      if (isBroken) response.destroy()
    },
  }
}

import { randomBytes } from 'node:crypto'
import type { Database } from '../database.ts'
import { digits } from './digits.ts'

export interface Media {
  id: string
  mimeType: string
  /** Hex. */
  sha256: string
  bytes: number
  /** Milliseconds since 1970. */
  createdAt: number
}

const TABLES = `
  CREATE TABLE IF NOT EXISTS wa_media (
    id TEXT PRIMARY KEY, mimeType TEXT NOT NULL, sha256 TEXT NOT NULL, bytes INTEGER NOT NULL,
    createdAt INTEGER NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS wa_media_addresses (
    token TEXT PRIMARY KEY, mediaId TEXT NOT NULL, expiresAt INTEGER NOT NULL) STRICT;`

const MEDIA_ADDRESS_MS = 5 * 60_000

export const newMediaId = () => digits(16)

/** What is known of media; the bytes lie in files. */
export function createMediaStore(db: Database, now: () => number) {
  db.exec(TABLES)
  const oneMedia = (id: string) =>
    (db.prepare('SELECT * FROM wa_media WHERE id = ?').get(id) as unknown as Media | undefined) ?? null
  return {
    media: oneMedia,
    addMedia(given: Omit<Media, 'createdAt'>): Media {
      const saved = { ...given, createdAt: now() }
      db.prepare('INSERT INTO wa_media VALUES (?, ?, ?, ?, ?)').run(
        saved.id,
        saved.mimeType,
        saved.sha256,
        saved.bytes,
        saved.createdAt,
      )
      return saved
    },
    /** A new address for the bytes, good for 5 minutes. */
    newAddress(mediaId: string) {
      const token = randomBytes(24).toString('base64url')
      db.prepare('DELETE FROM wa_media_addresses WHERE expiresAt < ?').run(now())
      db.prepare('INSERT INTO wa_media_addresses VALUES (?, ?, ?)').run(
        token,
        mediaId,
        now() + MEDIA_ADDRESS_MS,
      )
      return token
    },
    /** Null when the address was never given or has expired. */
    mediaAt(token: string): Media | null {
      const row = db
        .prepare('SELECT mediaId FROM wa_media_addresses WHERE token = ? AND expiresAt >= ?')
        .get(token, now())
      return row ? oneMedia(String(row.mediaId)) : null
    },
  }
}

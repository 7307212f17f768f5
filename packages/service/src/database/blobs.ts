import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { copyFile, mkdir } from 'node:fs/promises'
import { dirname, resolve, sep } from 'node:path'
import type { Readable } from 'node:stream'
import { pathToFileURL } from 'node:url'
import type { Disk } from 'flydrive'
import { z } from 'zod'
import { baseSettings } from '../settings/common-settings.ts'
import { url } from '../settings/settings.ts'
import { openOnce } from './open-once.ts'

export const blobSettings = z.object({
  DATA_DIR: baseSettings.shape.DATA_DIR,
  S3_ENDPOINT: url.optional().describe('S3-compatible store other than AWS, such as SeaweedFS'),
  S3_BUCKET: z.string().optional().describe('Bucket for media; unset: files under `DATA_DIR`'),
  S3_REGION: z.string().default('us-east-1').describe('Region of the bucket'),
  S3_ACCESS_KEY_ID: z.string().optional().describe('Key for the bucket; unset: the machine’s own role'),
  S3_SECRET_ACCESS_KEY: z.string().optional().describe('Secret of that key'),
})

/** Without one of the two, the SDK would silently use the machine's own role. */
export const blobChecks = [
  z.refine<Partial<z.output<typeof blobSettings>>>(
    settings => !settings.S3_ACCESS_KEY_ID === !settings.S3_SECRET_ACCESS_KEY,
    { path: ['S3_SECRET_ACCESS_KEY'], error: 'is needed with S3_ACCESS_KEY_ID, and not without it' },
  ),
]

export type Blobs = ReturnType<typeof openBlobs>

/** Size of the pieces in which files are read. V8 frees them after a certain number, of any size (decision 17). */
const PIECE_BYTES = 16_384

/** Key of the copy for players that would play a track other than the transcribed one. */
export const playedKeyOf = (key: string): string => `${key}.played`

/** A range of bytes of a file; `end` is included. */
export interface ByteRange {
  start: number
  end: number
}

/** Opens the media store: files under `DATA_DIR`, or S3, whose calls fail after `silenceMs`. Loaded on first call. */
export function openBlobs(settings: z.output<typeof blobSettings>, silenceMs = 15_000) {
  const { S3_BUCKET: bucket } = settings
  const folder = resolve(settings.DATA_DIR, 'blobs')
  const open = openOnce(() => (bucket ? s3(settings, bucket, silenceMs) : files(folder)))
  let isAway = false

  async function ask<T>(call: (store: Store) => Promise<T>): Promise<T> {
    const opened = await open()
    try {
      const answer = await call(opened)
      isAway = false
      return answer
    } catch (error) {
      const { message, cause } = error as Error
      isAway = bucket !== undefined && isOutage(cause)
      throw isAway ? new StorageAway(message, { cause }) : error
    }
  }

  return {
    /** Stores a local file under the key, all or nothing, replacing an earlier one. */
    async putFile(key: string, path: string, bytes: number): Promise<void> {
      if (!bucket) {
        const to = pathIn(folder, key)
        await mkdir(dirname(to), { recursive: true })
        // Bypasses the library, which retries a stream that failed on a full disk and hides the reason.
        return copyFile(path, to)
      }
      const source = createReadStream(path)
      try {
        // Doesn't await the file's end: once the store has answered, the SDK reads no further, and the end never comes.
        await ask(({ disk }) => disk.putStream(key, source, { contentLength: bytes }))
      } finally {
        // If the store fails or answers early, the rest is unread and the file would stay open.
        source.destroy()
      }
    },
    /** Throws if nothing is stored under the key. */
    read: (key: string, range?: ByteRange): Promise<Readable> => ask(store => store.read(key, range)),
    exists: (key: string): Promise<boolean> => ask(({ disk }) => disk.exists(key)),
    /** Deletes a file and its copy for players, if there is one. Deleting a key that doesn't exist is not an error. */
    delete: (key: string): Promise<void> =>
      ask(async ({ disk }) => {
        await disk.delete(key)
        await disk.delete(playedKeyOf(key))
      }),
    /** Whether the last call reached the store. Makes another call, so that the next answer is up to date. */
    health() {
      ask(({ disk }) => disk.exists('health')).catch(() => {})
      return { ok: !isAway, detail: isAway ? 'not reached' : 'reached' }
    },
  }
}

export class StorageAway extends Error {
  override name = 'StorageAway'
}

/** Whether a call failed because the store can't be reached, or can't serve it at the moment. */
export const isStorageAway = (error: unknown): boolean => error instanceof StorageAway

/** System error codes for an unreachable server; a broken connection becomes the SDK's TimeoutError. */
const NOT_REACHED = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']

/** Whether an error of the S3 SDK is an outage; an unreadable local file is not. */
function isOutage(cause: unknown): boolean {
  const { name, code, $metadata } = (cause ?? {}) as Cause
  // The SDK adds `$metadata` with the status, if there was one. A streaming call is tried once, without it.
  const status = $metadata ? ($metadata.httpStatusCode ?? 503) : 0
  return status === 429 || status >= 500 || name === 'TimeoutError' || NOT_REACHED.includes(code ?? '')
}

/** Some servers answer a read with 200 and an XML error; media are never XML. */
class ErrorInPlaceOfFile extends Error {
  readonly $metadata = { httpStatusCode: 503 }
}

interface Cause {
  name?: string
  code?: string
  $metadata?: { httpStatusCode?: number }
}

/** The library's disk, and reading a range, which it lacks. */
interface Store {
  disk: Disk
  read(key: string, range?: ByteRange): Promise<Readable>
}

function pathIn(folder: string, key: string): string {
  const path = resolve(folder, key)
  if (!path.startsWith(folder + sep)) throw new Error(`The key ${key} points outside the store`)
  return path
}

async function files(folder: string): Promise<Store> {
  const [{ Disk }, { FSDriver }] = await Promise.all([import('flydrive'), import('flydrive/drivers/fs')])
  return {
    disk: new Disk(new FSDriver({ location: pathToFileURL(folder), visibility: 'private' })),
    async read(key, range) {
      const stream = createReadStream(pathIn(folder, key), { ...range, highWaterMark: PIECE_BYTES })
      // The stream opens the file later, but a missing file has to be reported now, as with S3.
      await once(stream, 'open')
      return stream
    },
  }
}

const ignore = () => {}
/** Keeps the SDK from writing to the console, between our JSON lines, that it doesn't repeat a failed upload. */
const NO_LINES = { trace: ignore, debug: ignore, info: ignore, warn: ignore, error: ignore }

async function s3(
  settings: z.output<typeof blobSettings>,
  bucket: string,
  silenceMs: number,
): Promise<Store> {
  const [{ Disk }, { S3Driver }, { GetObjectCommand, S3Client }] = await Promise.all([
    import('flydrive'),
    import('flydrive/drivers/s3'),
    import('@aws-sdk/client-s3'),
  ])
  const {
    S3_ENDPOINT: endpoint,
    S3_ACCESS_KEY_ID: accessKeyId,
    S3_SECRET_ACCESS_KEY: secretAccessKey,
  } = settings
  const client = new S3Client({
    region: settings.S3_REGION,
    requestHandler: {
      connectionTimeout: silenceMs,
      socketTimeout: silenceMs,
      // The SDK's default is 50 connections: that many slow downloads would block every note.
      httpAgent: { maxSockets: Number.POSITIVE_INFINITY },
      httpsAgent: { maxSockets: Number.POSITIVE_INFINITY },
    },
    logger: NO_LINES,
    // Not every S3-compatible store understands the SDK's newer checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    // Such stores have the bucket in the path, not in the host name.
    ...(endpoint ? { endpoint, forcePathStyle: true } : {}),
    // Without keys the SDK uses the machine's role.
    ...(accessKeyId && secretAccessKey ? { credentials: { accessKeyId, secretAccessKey } } : {}),
  })
  return {
    disk: new Disk(new S3Driver({ client, bucket, visibility: 'private', supportsACL: false })),
    async read(key, range) {
      const Range = range && `bytes=${range.start}-${range.end}`
      try {
        const { Body, ContentType } = await client.send(
          new GetObjectCommand({ Bucket: bucket, Key: key, Range }),
        )
        if (/\bxml\b/.test(ContentType ?? '')) {
          ;(Body as Readable).destroy()
          throw new ErrorInPlaceOfFile()
        }
        return Body as Readable
      } catch (error) {
        throw new Error(`Cannot read ${key}`, { cause: error })
      }
    },
  }
}

import { once } from 'node:events'
import { createReadStream, ReadStream } from 'node:fs'
import { copyFile, mkdir } from 'node:fs/promises'
import { dirname, resolve, sep } from 'node:path'
import type { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { pathToFileURL } from 'node:url'
import type { Disk } from 'flydrive'
import { z } from 'zod'
import { baseSettings } from '../settings/common-settings.ts'
import { url } from '../settings/settings.ts'

export const blobSettings = z.object({
  DATA_DIR: baseSettings.shape.DATA_DIR,
  S3_ENDPOINT: url.optional().describe('S3-compatible store other than AWS, such as SeaweedFS'),
  S3_BUCKET: z.string().optional().describe('Bucket for media; unset: files under `DATA_DIR`'),
  S3_REGION: z.string().default('us-east-1').describe('Region of the bucket'),
  S3_ACCESS_KEY_ID: z.string().optional().describe('Key for the bucket; unset: the machine’s own role'),
  S3_SECRET_ACCESS_KEY: z.string().optional().describe('Secret of that key'),
})

export type Blobs = ReturnType<typeof openBlobs>

/**
 * Store of media: files under `DATA_DIR/blobs`, or an S3-compatible store when `S3_BUCKET` is set, whose calls fail when
 * nothing moves for `silenceMs`. Keys look like `media/2026/11/<id>`; contents are streamed in both directions. Its
 * library is loaded by the first call, not by the start.
 */
export function openBlobs(settings: z.output<typeof blobSettings>, silenceMs = 15_000) {
  const { S3_BUCKET: bucket } = settings
  let opened: Promise<Disk> | undefined
  const disk = () => (opened ??= open())
  async function open() {
    const { Disk } = await import('flydrive')
    return new Disk(await (bucket ? s3(settings, bucket, silenceMs) : files(settings.DATA_DIR)))
  }
  return {
    /** Stores a local file under the key, all or nothing; replaces an earlier one. */
    async putFile(key: string, path: string, bytes: number): Promise<void> {
      if (!bucket) {
        const folder = folderOf(settings.DATA_DIR)
        const to = resolve(folder, key)
        if (!to.startsWith(folder + sep)) throw new Error(`The key ${key} points outside the store`)
        await mkdir(dirname(to), { recursive: true })
        // Not through the library: it writes a stream that failed on a full disk once more, and hides the reason.
        return copyFile(path, to)
      }
      const store = await disk()
      const source = createReadStream(path)
      try {
        // With a file that cannot be read, the SDK of S3 waits for its time-out.
        await Promise.all([finished(source), store.putStream(key, source, { contentLength: bytes })])
      } finally {
        // A store that fails leaves the rest unread, and with it the file open.
        source.destroy()
      }
    },
    /** Throws when nothing is stored under the key. */
    read: async (key: string): Promise<Readable> => {
      const stream = await (await disk()).getStream(key)
      // The stream opens the file later, but a missing one has to be reported now, as with S3.
      if (stream instanceof ReadStream) await once(stream, 'open')
      return stream
    },
    exists: async (key: string): Promise<boolean> => (await disk()).exists(key),
    /** Deleting a key that does not exist is not an error. */
    delete: async (key: string): Promise<void> => (await disk()).delete(key),
  }
}

/** Whether a call failed because the store cannot be reached, or cannot serve it for now. */
export function isStorageAway(error: unknown): boolean {
  // Of the S3 SDK; without a status there was no response.
  const { cause } = error as { cause?: { $metadata?: { httpStatusCode?: number } } }
  const { httpStatusCode: status = 503 } = cause?.$metadata ?? { httpStatusCode: 404 }
  return status === 429 || status >= 500
}

const folderOf = (dataDir: string) => resolve(dataDir, 'blobs')

async function files(dataDir: string) {
  const { FSDriver } = await import('flydrive/drivers/fs')
  return new FSDriver({ location: pathToFileURL(folderOf(dataDir)), visibility: 'private' })
}

async function s3(settings: z.output<typeof blobSettings>, bucket: string, silenceMs: number) {
  const { S3Driver } = await import('flydrive/drivers/s3')
  const {
    S3_ENDPOINT: endpoint,
    S3_ACCESS_KEY_ID: accessKeyId,
    S3_SECRET_ACCESS_KEY: secretAccessKey,
  } = settings
  return new S3Driver({
    bucket,
    region: settings.S3_REGION,
    visibility: 'private',
    supportsACL: false,
    requestHandler: {
      connectionTimeout: silenceMs,
      socketTimeout: silenceMs,
      // The SDK's default is 50 connections: that many slow downloads would block every note.
      httpAgent: { maxSockets: Number.POSITIVE_INFINITY },
      httpsAgent: { maxSockets: Number.POSITIVE_INFINITY },
    },
    // Not every S3-compatible store understands the SDK's newer checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    // Such stores have the bucket in the path, not in the host name.
    ...(endpoint ? { endpoint, forcePathStyle: true } : {}),
    // Without keys the SDK uses the machine's role.
    ...(accessKeyId && secretAccessKey ? { credentials: { accessKeyId, secretAccessKey } } : {}),
  })
}

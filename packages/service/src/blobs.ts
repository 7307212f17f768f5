import { once } from 'node:events'
import { createReadStream, ReadStream } from 'node:fs'
import { resolve } from 'node:path'
import type { Readable } from 'node:stream'
import { pathToFileURL } from 'node:url'
import { Disk } from 'flydrive'
import { FSDriver } from 'flydrive/drivers/fs'
import { z } from 'zod'
import { baseSettings } from './common-settings.ts'
import { url } from './settings.ts'

export const blobSettings = z.object({
  DATA_DIR: baseSettings.shape.DATA_DIR,
  S3_ENDPOINT: url.optional().describe('S3-compatible store other than AWS, such as MinIO'),
  S3_BUCKET: z.string().optional().describe('Bucket for media; unset: files under `DATA_DIR`'),
  S3_REGION: z.string().default('us-east-1').describe('Region of the bucket'),
  S3_ACCESS_KEY_ID: z.string().optional().describe('Key for the bucket; unset: the machine’s own role'),
  S3_SECRET_ACCESS_KEY: z.string().optional().describe('Secret of that key'),
})

/** Store of media. Keys look like `media/2026/11/<id>`; values are streamed in both directions. */
export interface Blobs {
  /** Stores a local file whole under the key; what was there is replaced. */
  putFile(key: string, path: string, bytes: number): Promise<void>
  /** Throws when there is nothing under the key. */
  read(key: string): Promise<Readable>
  exists(key: string): Promise<boolean>
  /** Deleting what is not there is no error. */
  delete(key: string): Promise<void>
}

/**
 * Files under `DATA_DIR/blobs`, or an S3-compatible store when `S3_BUCKET` is set. A call to such a store fails when
 * nothing moves for `silenceMs`.
 */
export function openBlobs(settings: z.output<typeof blobSettings>, silenceMs = 15_000): Blobs {
  const { S3_BUCKET: bucket } = settings
  const disk = bucket
    ? s3(settings, bucket, silenceMs).then(driver => new Disk(driver))
    : Promise.resolve(new Disk(files(settings.DATA_DIR)))
  return {
    putFile: async (key, path, bytes) =>
      (await disk).putStream(key, createReadStream(path), { contentLength: bytes }),
    read: async key => {
      const stream = await (await disk).getStream(key)
      // A file is opened later; whether it is there is to be known now, as with S3.
      if (stream instanceof ReadStream) await once(stream, 'open')
      return stream
    },
    exists: async key => (await disk).exists(key),
    delete: async key => (await disk).delete(key),
  }
}

const files = (dataDir: string) =>
  new FSDriver({ location: pathToFileURL(resolve(dataDir, 'blobs')), visibility: 'private' })

async function s3(settings: z.output<typeof blobSettings>, bucket: string, silenceMs: number) {
  // A tenth of a start; most machines have no bucket.
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
    requestHandler: { connectionTimeout: silenceMs, socketTimeout: silenceMs },
    // Not every S3-compatible store understands the SDK's newer checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    // MinIO and its kin answer on the path, not on a host name per bucket.
    ...(endpoint ? { endpoint, forcePathStyle: true } : {}),
    // Without keys the SDK finds the machine's own role.
    ...(accessKeyId && secretAccessKey ? { credentials: { accessKeyId, secretAccessKey } } : {}),
  })
}

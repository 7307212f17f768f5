import { randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { askDatabase, type Check, check, ok, onlyWith, openBlobs, wrong } from '@voxscribe/service'
import { http } from '@voxscribe/service/outward'
import type { IngestionSettings } from './settings.ts'

const TIMEOUT_MS = 10_000
const DAY_MS = 86_400_000

/** Checks for the doctor. */
export const checks = (settings: IngestionSettings): Check[] => [
  ...onlyWith('WHATSAPP_ACCESS_TOKEN', 'the sandbox stands in', verifyTokenCheck(settings)),
  ...onlyWith('S3_BUCKET', 'media are files in DATA_DIR', storageCheck(settings)),
  ...onlyWith('MONGO_URL', 'ask ingestion’s log', retentionCheck(settings)),
]

/** Calls the webhook as Meta does during its setup. */
function verifyTokenCheck({ PUBLIC_URL: url, WHATSAPP_VERIFY_TOKEN }: IngestionSettings): Check {
  const next = 'Restart Voxscribe with these settings: it runs with another WHATSAPP_VERIFY_TOKEN.'
  const look = async () => {
    const challenge = randomUUID()
    const question = { 'hub.mode': 'subscribe', 'hub.verify_token': WHATSAPP_VERIFY_TOKEN }
    const params = { ...question, 'hub.challenge': challenge }
    const { status, data } = await http.get(`${url}/webhooks/whatsapp`, {
      params,
      timeout: TIMEOUT_MS,
    })
    return data === challenge ? ok('the webhook takes it') : wrong(`the webhook answers ${status}`, next)
  }
  return check('whatsapp-verify-token', next, look, 'public-url')
}

/** Stores a small object, reads it and deletes it. */
function storageCheck(settings: IngestionSettings): Check {
  const { S3_BUCKET: bucket } = settings
  const next =
    'Make the bucket, and let the key (or role) put, get and delete objects in it: S3_ENDPOINT, S3_BUCKET, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY.'
  return check('storage', next, async () => {
    const folder = await mkdtemp(join(tmpdir(), 'voxscribe-doctor-'))
    const [blobs, key, probe] = [openBlobs(settings), `doctor/${randomUUID()}`, randomUUID()]
    try {
      const path = join(folder, 'probe')
      await writeFile(path, probe)
      const since = Date.now()
      await blobs.putFile(key, path, probe.length)
      if ((await text(await blobs.read(key))) !== probe)
        return wrong(`${bucket} returns another object`, next)
      await blobs.delete(key)
      if (await blobs.exists(key)) return wrong(`${bucket} keeps an object that was deleted`, next)
      return ok(`${bucket} stores, returns and deletes an object in ${Date.now() - since} ms`)
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })
}

/** Checks that audio past its retention is deleted. */
function retentionCheck(settings: IngestionSettings): Check {
  const next =
    'Look at ingestion’s log for "could not be deleted": it deletes every RETENTION_CHECK_EVERY while it runs and reaches the storage.'
  const look = async () => {
    const late = new Date(Date.now() - DAY_MS)
    const count = await askDatabase(settings, 'ingestion', connection =>
      connection.collection('media').countDocuments({ deleteAt: { $lte: late } }, { limit: 1000 }),
    )
    if (count) return wrong(`${count} files should have been deleted more than a day ago`, next)
    return ok(`audio is deleted after ${settings.RETENTION_DAYS} days, and none is late`)
  }
  return check('retention', next, look, 'database')
}

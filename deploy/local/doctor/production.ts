import { createPublicKey, randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { isHere } from '@voxscribe/sandbox'
import { type Environment, openBlobs } from '@voxscribe/service'
import { keyId, publicKeys } from '../../../packages/service/src/settings/keys.ts'
import { type Check, check, ok, wrong } from './check.ts'
import { withDatabase } from './installation.ts'
import { type DoctorSettings, isGiven, publishedIn } from './settings.ts'

/** Whether settings are judged as production's; `SANDBOX=on` says that the stand-ins are meant. */
export const isProduction = ({ SANDBOX, NODE_ENV, PUBLIC_URL }: Environment): boolean =>
  SANDBOX === 'off' ||
  (SANDBOX !== 'on' && (NODE_ENV === 'production' || Boolean(PUBLIC_URL && !isHere(PUBLIC_URL))))

const PROVIDERS = {
  WHATSAPP_GRAPH_URL: 'https://graph.facebook.com',
  TWILIO_API_URL: 'https://api.twilio.com',
  TELEGRAM_API_URL: 'https://api.telegram.org',
  STRIPE_API_URL: 'https://api.stripe.com',
}
/** Settings for tests, with the value that production must not have. */
const FOR_TESTS = { HOOKS_ALLOW_PRIVATE: true, RATE_LIMITS: false, API_DOCS: true }

/** Stand-ins for providers, settings for tests, and published secrets. */
export function productionCheck(settings: DoctorSettings): Check {
  const next = 'Unset them, or set SANDBOX=on where the stand-ins are meant.'
  return check('production', next, async () => {
    const given: Record<string, unknown> = settings
    const faults = [
      ...(settings.SANDBOX_URL ? ['SANDBOX_URL is set'] : []),
      ...Object.entries(PROVIDERS).flatMap(([name, real]) =>
        (given[name] ?? real) === real ? [] : [`${name} leads to a stand-in`],
      ),
      ...Object.entries(FOR_TESTS).flatMap(([name, value]) =>
        given[name] === value ? [`${name} is for tests`] : [],
      ),
      ...publishedIn(settings).map(name => `${name} is a published secret`),
    ]
    return faults.length ? wrong(faults.join('; '), next) : ok('no stand-in, and no setting for tests')
  })
}

/** The keys of access tokens fit together. `isApart`: each service has a process of its own. */
export function keysCheck(
  { JWT_PRIVATE_KEY: privateKey = '', JWT_PUBLIC_KEY }: DoctorSettings,
  isApart: boolean,
): Check {
  const next =
    'Make a pair with `node deploy/image/keys.mjs private.pem public.pem`; while keys change, JWT_PUBLIC_KEY holds both.'
  return check('keys', next, async () => {
    if (isApart && !JWT_PUBLIC_KEY)
      return wrong('JWT_PUBLIC_KEY is not set: all services but auth refuse to start', next)
    const own = keyId(createPublicKey(privateKey))
    const known = publicKeys(JWT_PUBLIC_KEY ?? '').map(keyId)
    const isKnown = !JWT_PUBLIC_KEY || known.includes(own)
    return isKnown
      ? ok(`access tokens are signed with key ${own.slice(0, 8)}`)
      : wrong('JWT_PUBLIC_KEY is not the public half of JWT_PRIVATE_KEY', next)
  })
}

/** Stores a small object, reads it and deletes it. */
export function storageCheck(settings: DoctorSettings): Check {
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

const DAY_MS = 86_400_000

/** Audio whose time has come is deleted. */
export function retentionCheck(settings: DoctorSettings): Check {
  const next =
    'Look at ingestion’s log for "could not be deleted": it deletes every RETENTION_CHECK_EVERY while it runs and reaches the storage.'
  const look = async () => {
    const late = new Date(Date.now() - DAY_MS)
    const count = await withDatabase(settings, 'ingestion', connection =>
      connection.collection('media').countDocuments({ deleteAt: { $lte: late } }, { limit: 1000 }),
    )
    if (count) return wrong(`${count} files should have been deleted more than a day ago`, next)
    return ok(`audio is deleted after ${settings.RETENTION_DAYS} days, and none is late`)
  }
  return check('retention', next, look, 'database')
}

/** Whether these are the settings of services in processes of their own: one process has no use for either. */
export const isApart = (env: Environment) => isGiven(env, 'RABBITMQ_URL') || isGiven(env, 'JWT_PUBLIC_KEY')

/** Whether production needs a setting. */
export function isNeeded(env: Environment, setting: string): boolean {
  const needed = [
    ...['PUBLIC_URL', 'WHATSAPP_ACCESS_TOKEN', 'SMTP_URL'],
    ...(isApart(env) ? ['MONGO_URL', 'RABBITMQ_URL', 'JWT_PRIVATE_KEY'] : []),
    // In one process, the sandbox would take its place.
    ...(isApart(env) || [env.SANDBOX, env.PLANS, env.FREE_MINUTES].includes('off')
      ? []
      : ['STRIPE_SECRET_KEY']),
  ]
  return needed.includes(setting)
}

import { randomUUID } from 'node:crypto'
import { lookup } from 'node:dns/promises'
import { statSync } from 'node:fs'
import { mkdtemp, rm, statfs, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { boundedFetch, createLog, offerOf, openBlobs, temporaryFolder } from '@voxscribe/service'
import { HEIR, modelEndOf, openSpeech } from '@voxscribe/speech'
import axios from 'axios'
import { z } from 'zod'
import { openDocuments } from '../../../packages/service/src/database/documents.ts'
import { isInternal } from '../../../packages/service/src/http/public-agents.ts'
import { FREE } from '../../../services/transcription/src/queue/spending.ts'
import { createTextModel } from '../../../services/transcription/src/text/model.ts'
import { type Check, check, ok, wrong } from './check.ts'
import type { DoctorSettings } from './settings.ts'

const GIGABYTE = 1024 ** 3
/** The rules that compare the times of two processes allow for this. */
const CLOCK_SECONDS = 5
const TIMEOUT_MS = 10_000
const NEXT_MODEL = `Set OPENAI_MODEL=${HEIR}.`
const SAMPLE_RATE = 16_000

const web = axios.create({ proxy: false, timeout: TIMEOUT_MS, maxRedirects: 0, validateStatus: () => true })

/** PUBLIC_URL as this machine sees it: name, certificate, and the answer of an installation. */
export function publicUrlCheck(settings: DoctorSettings, isProduction: boolean): Check {
  const { PUBLIC_URL: url, WHATSAPP_GRAPH_URL: graphUrl, PORT } = settings
  const next = `Start Voxscribe, and let ${url} lead to its port ${PORT}, without a sign-in of its own.`
  return check('public-url', next, async () => {
    // A stand-in on this machine has no need of https.
    if ((isProduction || graphUrl.startsWith('https:')) && !url.startsWith('https:'))
      return wrong(`Meta and Stripe do not go to ${url}`, 'Set PUBLIC_URL to an https address.')
    const { status, data } = await web.get(`${url}/api/config`)
    const isOurs = data?.data?.whatsappNumber !== undefined
    if (!isOurs) return wrong(`${url} answers ${status}, not as Voxscribe does`, next)
    const { address } = await lookup(new URL(url).hostname)
    const at = isInternal(address) ? `${address}, no address of the internet` : address
    const how = url.startsWith('https:') ? `${at}, with a valid certificate` : at
    return ok(`asked from this machine, ${url} answers (${how}); open it from your phone's network, too`)
  })
}

/** Says what an account has here, and whether more can be bought. */
export function offerCheck(settings: DoctorSettings): Check {
  const { freeMinutes, plans } = offerOf(settings)
  const minutes = freeMinutes === null ? 'minutes have no limit' : `${freeMinutes} minutes a month are free`
  return check('offer', '', async () =>
    ok(`${minutes}, ${plans ? 'the paid plan is offered' : 'nothing is sold'}`),
  )
}

/** Asks the webhook as Meta does when it is set up. */
export function verifyTokenCheck({ PUBLIC_URL: url, WHATSAPP_VERIFY_TOKEN }: DoctorSettings): Check {
  const next = 'Restart Voxscribe with these settings: it runs with another WHATSAPP_VERIFY_TOKEN.'
  const look = async () => {
    const challenge = randomUUID()
    const question = { 'hub.mode': 'subscribe', 'hub.verify_token': WHATSAPP_VERIFY_TOKEN }
    const params = { ...question, 'hub.challenge': challenge }
    const { status, data } = await web.get(`${url}/webhooks/whatsapp`, { params })
    return data === challenge ? ok('the webhook takes it') : wrong(`the webhook answers ${status}`, next)
  }
  return check('whatsapp-verify-token', next, look, 'public-url')
}

/** Has the best engine recognise one second of a low tone. */
export function speechCheck(settings: DoctorSettings): Check {
  const next = 'Set OPENAI_API_KEY to a key that can pay, or fetch the model again: npm run model -- NAME.'
  async function look() {
    const folder = await mkdtemp(join(tmpdir(), 'voxscribe-doctor-'))
    const log = createLog('doctor', 'silent')
    const around = { files: openBlobs(settings), temporaryFolder, boundedFetch, log }
    const speech = await openSpeech(settings, around)
    try {
      const engine = speech.engines.current()
      if (!engine) return wrong('no engine is here', `One of: ${speech.engines.howToGet}.`)
      const samples = join(folder, 'tone.pcm')
      const tone = Int16Array.from({ length: SAMPLE_RATE }, (_, place) => 3_000 * Math.sin(place / 20))
      await writeFile(samples, new Uint8Array(tone.buffer))
      const since = Date.now()
      const pieces = [{ from: 0, to: 1 }]
      const part = { samples, pieces, gain: 1, key: randomUUID(), folder, noteSeconds: 1 }
      await engine.recognise(part, 'en', AbortSignal.timeout(TIMEOUT_MS))
      return ok(`${engine.name} (${engine.model}) answers in ${(Date.now() - since) / 1000} s`)
    } finally {
      speech.stop()
      await rm(folder, { recursive: true, force: true })
    }
  }
  return check('speech', next, () =>
    look().catch(error => {
      const denied = deniedBy(error)
      if (denied) return denied
      throw error
    }),
  )
}

/** Whose the path of an error is, and how to read it; undefined when the error is about something else. */
function deniedBy({ code, path }: NodeJS.ErrnoException) {
  if (code !== 'EACCES' || !path) return undefined
  let at = path
  for (;;)
    try {
      const { uid, mode } = statSync(at)
      const whose = `${at} belongs to user ${uid} (mode ${(mode & 0o777).toString(8)})`
      return wrong(
        `${whose}: user ${process.geteuid?.()}, as whom this runs, may not read it`,
        `Run Voxscribe as user ${uid}, or make it readable: chmod -R a+rX ${at}`,
      )
    } catch {
      // A folder above it is closed.
      at = dirname(at)
    }
}

/** Has the text model repeat a word. */
export function textModelCheck(settings: DoctorSettings): Check {
  const { TEXT_MODEL = '' } = settings
  const next = 'Set TEXT_MODEL, TEXT_BASE_URL and TEXT_API_KEY as the provider states them.'
  return check('text-model', next, async () => {
    const model = createTextModel({ ...settings, TEXT_MODEL }, createLog('doctor', 'silent'), FREE)
    const schema = z.object({ word: z.string() })
    const task = { name: 'echo', instructions: 'Repeat the word.', data: { word: 'hello' }, schema }
    await model.ask(task, AbortSignal.timeout(TIMEOUT_MS))
    return ok(`${TEXT_MODEL} answers`)
  })
}

/** Whether OpenAI has published an end of the model. */
export function speechModelCheck(settings: DoctorSettings): Check {
  const { OPENAI_MODEL: model } = settings
  return check('speech-model', NEXT_MODEL, async () => {
    const ends = modelEndOf(settings)
    return ends ? wrong(`OpenAI ends ${model} on ${ends}`, NEXT_MODEL) : ok(`no end of ${model} is known`)
  })
}

export function diskCheck({ DATA_DIR }: DoctorSettings): Check {
  const next = 'Free a gigabyte there, or move DATA_DIR or TMPDIR to a larger disk.'
  return check('disk', next, async () => {
    const gigabytesIn = async (folder: string) => {
      const { bavail, bsize } = await statfs(folder).catch(() => statfs('.'))
      return (bavail * bsize) / GIGABYTE
    }
    const [data, temporary] = [await gigabytesIn(DATA_DIR), await gigabytesIn(tmpdir())]
    const saw = `${data.toFixed(1)} GB free in ${DATA_DIR}, ${temporary.toFixed(1)} GB in ${tmpdir()}`
    return Math.min(data, temporary) < 1 ? wrong(saw, next) : ok(saw)
  })
}

/** Compares this clock with a provider's, which refuses requests signed at another time. */
export const clockCheck = (provider: string): Check =>
  check('clock', `Let this machine reach ${provider}.`, async () => {
    const asked = Date.now()
    const { headers } = await web.head(provider)
    // The time in a reply has no fractions, and is as old as the reply took to come.
    const theirs = Date.parse(String(headers.date)) + 500
    const seconds = Math.round(((asked + Date.now()) / 2 - theirs) / 1000)
    const saw = `${seconds} s ahead of ${provider}`
    const isRight = Math.abs(seconds) <= CLOCK_SECONDS
    return isRight ? ok(saw) : wrong(saw, 'Let the system keep the time: timedatectl set-ntp true.')
  })

export function brokerCheck({ RABBITMQ_URL = '' }: DoctorSettings): Check {
  const next = 'Start RabbitMQ, or set RABBITMQ_URL to amqp://USER:PASSWORD@HOST:5672.'
  return check('broker', next, async () => {
    const { askBroker } = await import('@voxscribe/messaging/rabbit')
    return ok(await askBroker(RABBITMQ_URL))
  })
}

export async function withDatabase<T>(
  { MONGO_URL, MONGO_DB_PREFIX }: DoctorSettings,
  service: string,
  ask: (connection: Awaited<ReturnType<typeof openDocuments>>['connection']) => Promise<T>,
): Promise<T> {
  // The driver would wait as long as the check may take. An address with several hosts is none of the web's.
  const start = MONGO_URL.includes('?') ? `${MONGO_URL}&` : `${MONGO_URL.replace(/(\w)$/, '$1/')}?`
  const url = `${start}serverSelectionTimeoutMS=${TIMEOUT_MS / 2}`
  const documents = await openDocuments(url, `${MONGO_DB_PREFIX}_${service}`, () => {})
  try {
    return await ask(documents.connection)
  } finally {
    await documents.close()
  }
}

export function databaseCheck(settings: DoctorSettings): Check {
  const next = 'Start MongoDB, or set MONGO_URL to mongodb://USER:PASSWORD@HOST:27017.'
  return check('database', next, async () => {
    const since = Date.now()
    await withDatabase(settings, 'auth', connection =>
      connection.collection('users').findOne({}, { projection: { _id: 1 } }),
    )
    return ok(`a query takes ${Date.now() - since} ms`)
  })
}

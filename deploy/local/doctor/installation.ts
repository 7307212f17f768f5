import { lookup } from 'node:dns/promises'
import { statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { askDatabase, type Check, check, isInternal, ok, wrong } from '@voxscribe/service'
import { http } from '@voxscribe/service/outward'
import type { DoctorSettings } from './settings.ts'

const GIGABYTE = 1024 ** 3
/** The rules that compare times of two processes allow for this difference. */
const CLOCK_SECONDS = 5
const TIMEOUT_MS = 10_000

const web = http.create({ timeout: TIMEOUT_MS })

/** Checks PUBLIC_URL from this machine: name, certificate, and an installation's answer. */
export function publicUrlCheck(settings: DoctorSettings, isProduction: boolean): Check {
  const { PUBLIC_URL: url, WHATSAPP_GRAPH_URL: graphUrl, PORT } = settings
  const next = `Start Voxscribe, and let ${url} lead to its port ${PORT}, without a sign-in of its own.`
  return check('public-url', next, async () => {
    // A stand-in on this machine doesn't need https.
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

/** Compares this machine's clock with a provider's, which refuses requests signed at a wrong time. */
export const clockCheck = (provider: string): Check =>
  check('clock', `Let this machine reach ${provider}.`, async () => {
    const asked = Date.now()
    const { headers } = await web.head(provider)
    // The time in a reply has no fractions, so half a second is added; it is compared with the middle of the call.
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

export function databaseCheck(settings: DoctorSettings): Check {
  const next = 'Start MongoDB, or set MONGO_URL to mongodb://USER:PASSWORD@HOST:27017.'
  return check('database', next, async () => {
    const since = Date.now()
    await askDatabase(settings, 'auth', connection =>
      connection.collection('users').findOne({}, { projection: { _id: 1 } }),
    )
    return ok(`a query takes ${Date.now() - since} ms`)
  })
}

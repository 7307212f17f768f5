import { readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { flow, MediaNormalised, ReservationResolved, SERVICES } from '@voxscribe/contracts/events'
import { createInProcessBus } from '@voxscribe/messaging'
import { json } from '@voxscribe/sandbox/testing'
import { busObserver, type Management, runService, startManagement } from '@voxscribe/service'
import { eventually, silentLog, startProxy, startTestBackings } from '@voxscribe/service/testing'
import { parse } from 'yaml'
import { billingService } from '../../services/billing/src/service.ts'
import { noteMeasured, registration } from '../../services/billing/src/testing/events.ts'
import { openShop } from '../../services/billing/src/testing/shop.ts'
import { gatewayService } from '../../services/gateway/src/service.ts'
import { ingestionService } from '../../services/ingestion/src/service.ts'
import {
  bodyOf,
  changeOf,
  infoPath,
  newPhone,
  signatureOf,
  startIngestion,
  textMessage,
  voiceNote,
} from '../../services/ingestion/src/testing.ts'
import { completed, newSource, startNotification } from '../../services/notification/src/testing.ts'
import { fakeSphinx, startDesk, temporaryFolder, tone } from '../../services/transcription/src/testing.ts'
import { alertsOf, hasPromtool, readScrape, type Scrape } from './promtool.ts'

const RULES = join(import.meta.dirname, 'alerts.yml')
const { groups } = parse(readFileSync(RULES, 'utf8')) as { groups: { rules: { alert: string }[] }[] }

interface Opened {
  /** Does what people do on any day. */
  well(): Promise<unknown>
  /** Makes the trouble. */
  ill(): Promise<unknown>
  close(): Promise<unknown>
}
interface Case {
  trouble: string
  fires: string[]
  /** Fires or not, as the trouble goes. */
  mayFire?: string
  /** The trouble comes again each minute; else it comes once. */
  lasts: boolean
  open(): Promise<Opened>
}

let management: Management
/** Services whose metrics cannot be scraped, and those that Prometheus does not find. */
const down = new Set<string>()
const gone = new Set<string>()
beforeAll(async () => {
  management = await startManagement(0, '127.0.0.1')
})
afterAll(() => management.close())
afterEach(() => {
  down.clear()
  gone.clear()
  ahead = 0
})

/** Milliseconds by which this process' monotonic clock is ahead. */
let ahead = 0
const elapsed = performance.now.bind(performance)
performance.now = () => elapsed() + ahead

async function scrape(): Promise<Scrape> {
  const found = readScrape(await (await fetch(`http://127.0.0.1:${management.port}/metrics`)).text())
  for (const app of SERVICES.filter(name => !gone.has(name)))
    found.set(`up{app="${app}",job="voxscribe",kind="gauge"}`, down.has(app) ? 0 : 1)
  return found
}

async function times(count: number, work: () => Promise<unknown>) {
  for (let done = 0; done < count; done++) await work()
}

/** The gateway with metrics of its own, before a service that answers when the test lets it. */
async function openGateway() {
  const folder = await mkdtemp(join(tmpdir(), 'voxscribe-alerts-'))
  await mkdir(join(folder, 'assets'))
  await writeFile(join(folder, 'index.html'), '<!doctype html><title>Voxscribe</title>')
  let slowMs = 0
  const peer = createServer((_request, response) => {
    setTimeout(() => response.setHeader('content-type', 'application/json').end('{}'), slowMs)
  })
  await new Promise<void>(resolve => peer.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(peer.address() as AddressInfo).port}`
  const own = await startManagement(0, '127.0.0.1')
  const env = {
    ...{ PORT: '0', HOST: '127.0.0.1', MANAGEMENT_PORT: '0', LOG_LEVEL: 'silent', WEB_DIR: folder },
    ...{ AUTH_URL: url, BILLING_URL: url, INGESTION_URL: url, TRANSCRIPTION_URL: url, NOTIFICATION_URL: url },
    WHATSAPP_NUMBER: '+1 555 078 3881',
  }
  const gateway = await runService(gatewayService, env, { management: own })
  const ask = () => fetch(`${gateway.url}/api/transcriptions`)
  return {
    ask,
    isUp: () =>
      fetch(`http://127.0.0.1:${own.port}/metrics`).then(
        ({ ok }) => ok,
        () => false,
      ),
    slowDown: (ms: number) => {
      slowMs = ms
    },
    stop: async () => {
      await gateway.stop()
      await own.close()
    },
    async close() {
      await gateway.stop()
      await own.close().catch(() => {})
      peer.closeAllConnections()
      peer.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Ingestion that people write to. */
async function openIngestion(settings: Record<string, string> = {}) {
  const app = await startIngestion(settings)
  const say = () => app.say(textMessage({ from: newPhone() }, 'Hello'))
  return { app, well: () => times(2, say), close: app.stop }
}

/** Billing alone on a bus of the real flow, as the one-process start has it. */
async function openBilling() {
  const backings = await startTestBackings()
  const bus = createInProcessBus({
    topology: flow,
    log: silentLog,
    observer: busObserver,
    retryDelaysMs: [10],
  })
  const start = () =>
    runService(
      billingService,
      { ...backings.env, STRIPE_SECRET_KEY: '', PUBLIC_URL: 'https://voxscribe.test' },
      { bus, management },
    )
  let billing: Awaited<ReturnType<typeof start>> | undefined
  const about = () => ({ transcriptionId: crypto.randomUUID(), userId: 'u1', attempt: 1 })
  return {
    bus,
    about,
    start: async () => {
      billing = await start()
    },
    handleOne: () => bus.publish(ReservationResolved.create({ ...about(), seconds: 0 })),
    async close() {
      await bus.close()
      await billing?.stop()
      await backings.stop()
    },
  }
}

/** Transcription whose engine is a script. */
async function openDesk() {
  const folder = await temporaryFolder()
  const sphinx = await fakeSphinx(folder)
  const note = await tone(join(folder, 'note.ogg'), 1)
  const env = { SPEECH_ENGINE: 'sphinx', SPHINX_COMMAND: sphinx.command, TRANSCRIPTION_CONCURRENCY: '1' }
  const desk = await startDesk(env)
  const send = async (userId = 'u1') => {
    const { data } = await desk.receive(note, { userId })
    await desk.reserve(data.mediaId)
    return data.mediaId
  }
  return {
    folder,
    sphinx,
    desk,
    send,
    well: async () => desk.completed(await send()),
    async close() {
      await sphinx.release()
      await desk.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Notification that answers notes. */
async function openNotification() {
  const app = await startNotification()
  const answer = async () => {
    const source = newSource()
    await app.publish(completed(source))
    return source
  }
  return {
    app,
    answer,
    well: () => times(5, async () => app.texts((await answer()).address)),
    close: app.stop,
  }
}

const refusal = (status: number, code: number) => json(status, { error: { code, message: 'no' } })

const cases: Case[] = [
  {
    trouble: 'a service does not answer',
    fires: ['ServiceDown'],
    lasts: true,
    async open() {
      const gateway = await openGateway()
      return {
        well: gateway.ask,
        async ill() {
          await gateway.stop()
          if (!(await gateway.isUp())) down.add('gateway')
        },
        close: gateway.close,
      }
    },
  },
  {
    trouble: 'a service has no instance at all',
    fires: ['ServiceMissing'],
    lasts: true,
    async open() {
      const gateway = await openGateway()
      return {
        well: gateway.ask,
        async ill() {
          await gateway.stop()
          // Its name leads nowhere: Prometheus has nothing to ask.
          if (!(await gateway.isUp())) gone.add('gateway')
        },
        close: gateway.close,
      }
    },
  },
  {
    trouble: 'a service answers slowly',
    fires: ['AnswersSlow'],
    lasts: true,
    async open() {
      const gateway = await openGateway()
      return {
        well: () => times(3, gateway.ask),
        ill: () => {
          gateway.slowDown(1_100)
          return Promise.all([gateway.ask(), gateway.ask(), gateway.ask()])
        },
        close: gateway.close,
      }
    },
  },
  {
    trouble: 'the database is away while webhooks come',
    fires: ['ErrorRateHigh', 'WebhooksFailing'],
    // Whether the driver waits for the database or knows already that it is away.
    mayFire: 'AnswersSlow',
    lasts: true,
    async open() {
      const { app, well } = await openIngestion()
      const way = await startProxy(app.backings.mongoUrl)
      const behind = await runService(ingestionService, { ...app.env, MONGO_URL: way.url })
      const body = JSON.stringify(bodyOf(changeOf([voiceNote({ from: newPhone() })])))
      const headers = { 'x-hub-signature-256': signatureOf(body) }
      return {
        well,
        ill() {
          way.goAway()
          return fetch(`${behind.url}/webhooks/whatsapp`, { method: 'POST', body, headers })
        },
        async close() {
          way.comeBack()
          await behind.stop()
          await way.close()
          await app.stop()
        },
      }
    },
  },
  {
    trouble: 'webhooks are forged, or the secret is another one',
    fires: ['WebhooksRefused'],
    lasts: false,
    async open() {
      const { app, well, close } = await openIngestion()
      return {
        well,
        ill: () => times(25, () => app.post('{}', { 'x-hub-signature-256': 'sha256=00' })),
        close,
      }
    },
  },
  {
    trouble: 'the provider does not accept our token for a file',
    fires: ['MediaTokenRefused'],
    lasts: false,
    async open() {
      const { app, well, close } = await openIngestion({ MEDIA_RETRY_AFTER: '1h' })
      return {
        well,
        async ill() {
          const [phone, userId] = [newPhone(), 'u1']
          await app.register(userId, phone)
          const note = voiceNote({ from: phone })
          app.on(infoPath(note.audio.id), refusal(401, 190))
          await app.say(note)
          await eventually(() => app.stored('media').findOne({ status: 'waiting' }))
        },
        close,
      }
    },
  },
  {
    trouble: 'the broker takes nothing',
    fires: ['OutboxStuck'],
    lasts: true,
    async open() {
      const { app, well, close } = await openIngestion()
      const { bus } = app.others
      const { publish } = bus
      const age = async () =>
        Number(
          [...(await scrape())].find(([name]) =>
            name.startsWith('outbox_oldest_event_seconds{service="ingestion"'),
          )?.[1],
        )
      return {
        well,
        async ill() {
          bus.publish = () => Promise.reject(new Error('away'))
          await well()
          const receipt = await app.stored('receipts').findOne({ 'outbox.id': { $gt: '' } })
          const occurredAt = new Date(Date.now() - 300_000).toISOString()
          const outbox = receipt!.outbox.map((event: object) => ({ ...event, occurredAt }))
          await app.stored('receipts').updateOne({ _id: receipt!._id }, { $set: { outbox } })
          await eventually(async () => (await age()) > 60)
        },
        async close() {
          bus.publish = publish
          await eventually(async () => (await age()) === 0)
          await close()
        },
      }
    },
  },
  {
    trouble: 'a message can never be handled',
    fires: ['DeadLetters'],
    lasts: false,
    async open() {
      const billing = await openBilling()
      await billing.start()
      return {
        well: billing.handleOne,
        ill: () =>
          billing.bus.publish({ ...MediaNormalised.create({ ...billing.about(), seconds: 1 }), data: {} }),
        close: billing.close,
      }
    },
  },
  {
    trouble: 'messages wait for minutes',
    fires: ['QueueWaitLong'],
    lasts: true,
    async open() {
      const { bus, handleOne, close } = await openBilling()
      let gate = Promise.resolve()
      const event = ReservationResolved
      await bus.subscribe({ service: 'billing', event, concurrency: 1, handle: () => gate })
      return {
        well: handleOne,
        async ill() {
          const open = Promise.withResolvers<void>()
          gate = open.promise
          const sent = [handleOne(), handleOne()]
          ahead = 400_000
          open.resolve()
          await Promise.all(sent)
        },
        close,
      }
    },
  },
  {
    trouble: 'billing cannot take in what it is told of an account',
    fires: ['LateNews'],
    lasts: true,
    async open() {
      const shop = await openShop()
      return {
        async well() {
          await shop.bus.publish(registration(crypto.randomUUID()))
          await shop.run('take in late news')
        },
        async ill() {
          const userId = 'unlucky'
          await shop.bus.publish(
            noteMeasured({ userId, transcriptionId: crypto.randomUUID(), attempt: 1 }, 60),
          )
          await eventually(() => shop.stored('accounts').findOne({ _id: userId }))
          await shop.stored('accounts').updateOne({ _id: userId }, { $set: { version: 'x' } })
          await shop.bus.publish(registration(userId))
          await eventually(async () => (await shop.bus.deadLetters()).length, 30_000)
          shop.clock.ahead = 2 * 3_600_000
          await shop.run('take in late news').catch(() => {})
        },
        async close() {
          await shop.stored('accounts').updateOne({ _id: 'unlucky' }, { $set: { version: 1_000 } })
          await shop.run('take in late news')
          await shop.close()
        },
      }
    },
  },
  {
    trouble: 'notes wait for their turn',
    fires: ['NotesWaitLong'],
    lasts: true,
    async open() {
      const { desk, sphinx, send, well, close } = await openDesk()
      return {
        well,
        async ill() {
          const before = await sphinx.runs()
          await sphinx.hold()
          const first = await send()
          await eventually(async () => (await sphinx.runs()) > before)
          const second = await send()
          const since = new Date(Date.now() - 400_000)
          await eventually(() => desk.notes.findOne({ _id: second, turn: { $gte: 0 } }))
          await desk.notes.updateOne({ _id: second }, { $set: { since } })
          await sphinx.release()
          for (const id of [first, second]) await desk.completed(id)
        },
        close,
      }
    },
  },
  {
    trouble: 'most notes fail',
    fires: ['NotesFailing'],
    lasts: false,
    async open() {
      const { desk, folder, well, close } = await openDesk()
      return {
        well,
        async ill() {
          const broken = join(folder, 'broken.ogg')
          await writeFile(broken, 'no sound')
          for (let note = 0; note < 12; note++) await desk.failed((await desk.receive(broken)).data.mediaId)
        },
        close,
      }
    },
  },
  {
    trouble: 'the engine takes more than twice the length of a note',
    fires: ['EngineSlow'],
    lasts: true,
    async open() {
      const { sphinx, well, close } = await openDesk()
      return {
        well,
        async ill() {
          await sphinx.slowDown(3)
          await well()
        },
        close,
      }
    },
  },
  {
    trouble: 'a page has listened for news until its token was over',
    fires: [],
    lasts: true,
    async open() {
      const { desk, well, close } = await openDesk()
      return {
        well,
        async ill() {
          const stream = await desk.fetch('/api/transcriptions/events', 'u1')
          ahead = 900_000
          await desk.restart()
          await stream.body?.cancel()
        },
        close,
      }
    },
  },
  {
    trouble: 'people refuse our messages',
    fires: ['NotificationsFailing'],
    lasts: true,
    async open() {
      const { app, answer, well, close } = await openNotification()
      return {
        well,
        ill: () => {
          app.trouble(refusal(400, 131_026), refusal(400, 131_026))
          return times(2, answer)
        },
        close,
      }
    },
  },
  {
    trouble: 'WhatsApp answers 500',
    fires: ['NotificationsFailing'],
    lasts: true,
    async open() {
      const { app, answer, well, close } = await openNotification()
      return {
        well,
        ill: () => {
          app.trouble(...Array.from({ length: 6 }, () => json(500, {})))
          return times(2, answer)
        },
        close,
      }
    },
  },
  ...[190, 200].map(code => ({
    trouble: `WhatsApp answers with code ${code}`,
    fires: ['WhatsAppAlarm'],
    lasts: false,
    async open() {
      const { app, answer, well, close } = await openNotification()
      return {
        well,
        ill: () => {
          app.trouble(refusal(400, code))
          return answer()
        },
        close,
      }
    },
  })),
]

test('when there is a rule, then there is a case in which it fires', () => {
  const rules = groups.flatMap(group => group.rules.map(({ alert }) => alert))
  expect([...new Set(cases.flatMap(({ fires }) => fires))].sort()).toEqual(rules.sort())
})

const evaluated = hasPromtool ? describe : describe.skip
evaluated(`the rules${hasPromtool ? '' : ' (left out: install the package prometheus)'}`, () => {
  test.each(cases)(
    'when $trouble, then $fires fire, and nothing did before',
    async ({ fires, mayFire, lasts, open }) => {
      const opened = await open()
      try {
        await opened.well()
        const start = await scrape()
        await opened.well()
        const well = await scrape()
        await opened.ill()
        const ill = await scrape()
        const fired = await alertsOf(RULES, [start, well, ill], lasts)
        const certain = { ...fired, ill: fired.ill.filter(name => name !== mayFire) }
        expect(certain).toEqual({ well: [], ill: fires })
      } finally {
        await opened.close()
      }
    },
  )
})

import type { Envelope } from '@voxscribe/contracts/events'
import type { Channel, ChannelModel } from 'amqplib'
import { connect } from 'amqplib'
import { pino } from 'pino'
import type { Bus } from '../bus.ts'
import { eventually } from '../testing/eventually.ts'
import { anEventForAlpha, failing, recorder, userOf } from '../testing/sample.ts'
import type { RabbitStage } from '../testing/transports.ts'
import {
  brokerForTests,
  rabbitIsHere,
  rabbitIsOurs,
  rabbitStage,
  SHORT_DELAYS_MS,
} from '../testing/transports.ts'
import { connectRabbitBus } from './rabbit.ts'
import { deadQueueOf, delayName } from './topology.ts'

/** Publishes as the relay does: repeatedly, until the event is confirmed. */
const publishAgain = (bus: Bus, event: Envelope) => eventually(() => bus.publish(event))

const title = 'the RabbitMQ bus when things break'
const skipped = `${title} (skipped: install rabbitmq-server or set RABBITMQ_URL)`
;(rabbitIsHere ? describe : describe.skip)(rabbitIsHere ? title : skipped, () => {
  let broker: Awaited<ReturnType<typeof brokerForTests>>
  let stage: RabbitStage
  let admin: ChannelModel
  let channel: Channel
  beforeAll(async () => {
    broker = await brokerForTests()
  })
  afterAll(() => broker.stop())
  beforeEach(async () => {
    stage = await rabbitStage(broker.url)
    admin = await connect(broker.url)
    admin.on('error', () => {})
    channel = await admin.createChannel()
  })
  afterEach(async () => {
    await admin.close().catch(() => {})
    await stage.clear()
  })

  test('when a consumer loses its connection before it acknowledged, then the message comes again', async () => {
    const bus = await stage.open()
    const alpha = recorder()
    const gate = Promise.withResolvers<void>()
    await stage.listenAlone(bus, async event => {
      await alpha.handle(event)
      if (alpha.seen.length === 1) await gate.promise
    })
    await bus.publish(anEventForAlpha('ada'))
    await eventually(() => expect(alpha.users()).toEqual(['ada']))
    stage.proxy.cut()
    await eventually(() => expect(alpha.users()).toEqual(['ada', 'ada']))
    // The first handling ends on a lost channel, which does no harm.
    gate.resolve()
    await publishAgain(bus, anEventForAlpha('bob'))
    await eventually(() => expect(alpha.users()).toEqual(['ada', 'ada', 'bob']))
    expect(await bus.deadLetters()).toEqual([])
  })

  test('when one process broadcasts, then all get it, also after their connections were lost', async () => {
    const [one, other] = [await stage.open(), await stage.open()]
    const heard: unknown[] = []
    await one.onBroadcast(stage.alpha, data => heard.push(['one', data]))
    const ends = await other.onBroadcast(stage.alpha, data => heard.push(['other', data]))
    one.broadcast(stage.alpha, 1)
    await eventually(() =>
      expect(heard.sort()).toEqual([
        ['one', 1],
        ['other', 1],
      ]),
    )
    stage.proxy.cut()
    // Broadcasts are lost in between, so these are repeated until they arrive.
    const both = (data: unknown) =>
      eventually(() => {
        one.broadcast(stage.alpha, data)
        expect(heard).toContainEqual(['other', data])
        other.broadcast(stage.alpha, data)
        expect(heard).toContainEqual(['one', data])
      })
    await both(2)
    ends()
    await other.onBroadcast(stage.beta, data => heard.push(['again', data]))
    one.broadcast(stage.alpha, 3)
    one.broadcast(stage.beta, 4)
    await eventually(() => expect(heard).toContainEqual(['again', 4]))
    expect(heard).toContainEqual(['one', 3])
    expect(heard).not.toContainEqual(['other', 3])
  })

  test('when the broker is away, then listeners of the process get its broadcasts, and new ones those of others after it', async () => {
    const [one, other] = [await stage.open(), await stage.open()]
    const heard: unknown[] = []
    await one.onBroadcast(stage.alpha, data => heard.push(['alpha', data]))
    stage.proxy.goAway()
    await eventually(() => expect(one.health().ok).toBe(false))
    await one.onBroadcast(stage.beta, data => heard.push(['beta', data]))
    one.broadcast(stage.alpha, 1)
    one.broadcast(stage.beta, 1)
    await eventually(() =>
      expect(heard).toEqual([
        ['alpha', 1],
        ['beta', 1],
      ]),
    )
    stage.proxy.comeBack()
    await eventually(() => {
      other.broadcast(stage.beta, 2)
      expect(heard).toContainEqual(['beta', 2])
    })
  })

  test('when a process listens to 2,000 topics, then it has one queue, and each listener gets its own', async () => {
    const [one, other] = [await stage.open(), await stage.open()]
    const channels: Channel = Object.getPrototypeOf(Object.getPrototypeOf(await admin.createConfirmChannel()))
    const { assertQueue } = channels
    let declared = 0
    channels.assertQueue = function (this: Channel, ...queue) {
      declared += 1
      return assertQueue.apply(this, queue)
    } as Channel['assertQueue']
    const topics = Array.from({ length: 2_000 }, (_, n) => `${stage.alpha}.${n}`)
    const heard = new Map<string, unknown[]>(topics.map(topic => [topic, []]))
    const listens = topics.map(topic => one.onBroadcast(topic, data => heard.get(topic)!.push(data)))
    const ends = await Promise.all(listens)
    channels.assertQueue = assertQueue
    expect(declared).toBe(1)
    await eventually(() => {
      other.broadcast(topics[0]!, 'begun')
      expect(heard.get(topics[0]!)).toContain('begun')
    })
    for (const topic of topics.slice(1, 1_000)) other.broadcast(topic, topic)
    await eventually(() => {
      for (const topic of topics.slice(1, 1_000)) expect(heard.get(topic)).toEqual([topic])
    })
    for (const topic of topics.slice(1_000)) expect(heard.get(topic)).toEqual([])
    for (const end of ends) end()
  })

  test('when the broker is away, then a publish is refused, health reports it, and both recover', async () => {
    const { bus, alpha } = await stage.openAlone()
    expect(bus.health()).toEqual({ ok: true, detail: 'connected to RabbitMQ' })
    stage.proxy.goAway()
    await eventually(() => expect(bus.health()).toEqual({ ok: false, detail: 'not connected to RabbitMQ' }))
    await expect(bus.publish(anEventForAlpha('ada'))).rejects.toThrow('There is no channel')
    stage.proxy.comeBack()
    await eventually(() => expect(bus.health().ok).toBe(true))
    await bus.publish(anEventForAlpha('ada'))
    await eventually(() => expect(alpha.users()).toEqual(['ada']))
    stage.proxy.goAway()
    await bus.close()
  })

  test('when the connection breaks in a burst, then nothing is lost of what outboxes publish again', async () => {
    const { bus, alpha } = await stage.openAlone()
    const sent = Array.from({ length: 400 }, (_, n) => `user-${n}`)
    const published = Promise.all(sent.map(user => publishAgain(bus, anEventForAlpha(user))))
    await eventually(() => expect(alpha.seen.length).toBeGreaterThan(20))
    stage.proxy.cut()
    await published
    await eventually(() => expect(new Set(alpha.users())).toEqual(new Set(sent)))
  })

  test('when the broker hangs, then listing dead letters fails in time and works again later', async () => {
    const bus = await stage.open({ answerWaitMs: 2_000 })
    stage.proxy.slow(20_000)
    await expect(bus.deadLetters()).rejects.toThrow('The broker did not answer in time')
    stage.proxy.slow(0)
    stage.proxy.cut()
    await eventually(async () => expect(await bus.deadLetters()).toEqual([]))
  })

  test('when a message is not JSON, then it is a dead letter at once, listed as text', async () => {
    const { bus, alpha } = await stage.openAlone()
    channel.publish(stage.exchange, 'transcription-deleted.v1', Buffer.from('no json {'))
    await eventually(async () => expect(await bus.deadLetters()).toHaveLength(1))
    expect(await bus.deadLetters()).toMatchObject([
      {
        id: '',
        queue: stage.queue,
        message: 'no json {',
        attempts: 1,
        reason: expect.stringMatching(/^Invalid message/),
      },
    ])
    expect(alpha.users()).toEqual([])
  })

  test('when the broker cancels a consumer, then it makes its queue again and continues', async () => {
    const { bus, alpha } = await stage.openAlone()
    await channel.deleteQueue(stage.queue)
    await eventually(() =>
      expect(bus.health()).toEqual({ ok: false, detail: `not consuming ${stage.queue}` }),
    )
    await eventually(() => expect(bus.health().ok).toBe(true))
    await bus.publish(anEventForAlpha('ada'))
    await eventually(() => expect(alpha.users()).toEqual(['ada']))
  })

  test('when the queues for retries and dead letters are deleted, then they are made again, and serve', async () => {
    const bus = await stage.open({ declares: false })
    const alpha = recorder()
    await stage.listenAlone(bus, async event => {
      await alpha.handle(event)
      if (alpha.seen.length < 4) throw new Error('not yet')
    })
    for (const delayMs of SHORT_DELAYS_MS) await channel.deleteQueue(delayName(stage.exchange, delayMs))
    await channel.deleteQueue(deadQueueOf(stage.queue))
    await bus.publish(anEventForAlpha('ada'))
    await eventually(() => expect(alpha.seen).toHaveLength(4))
    channel.publish(stage.exchange, 'transcription-deleted.v1', Buffer.from('no json {'))
    await eventually(async () => expect(await bus.deadLetters()).toHaveLength(1))
  })

  test('when exchanges are deleted, then they are made again, and serve', async () => {
    const bus = await stage.open({ declares: false })
    const alpha = recorder()
    await stage.listenAlone(bus, async event => {
      await alpha.handle(event)
      if (alpha.seen.length === 1) throw new Error('not yet')
    })
    for (const delayMs of SHORT_DELAYS_MS) await channel.deleteExchange(delayName(stage.exchange, delayMs))
    await channel.deleteExchange(stage.exchange)
    await publishAgain(bus, anEventForAlpha('ada'))
    await eventually(() => expect(alpha.users()).toEqual(['ada', 'ada']))
  })

  test('when no queue takes an event, then publishing it is refused', async () => {
    const bus = await stage.open()
    await channel.unbindQueue(stage.queue, stage.exchange, 'transcription-deleted.v1')
    await expect(bus.publish(anEventForAlpha('ada'))).rejects.toThrow('No queue takes')
  })

  test('when a message kills its consumer too often, then it is listed as a dead letter', async () => {
    const bus = await stage.open()
    await bus.publish(anEventForAlpha('ada'))
    for (let deliveries = 0; deliveries <= 100; deliveries++) {
      await eventually(async () => {
        const message = await channel.get(stage.queue)
        if (!message) throw new Error('The message is not back yet')
        channel.nack(message, false, true)
      })
    }
    await eventually(async () => {
      const letters = await bus.deadLetters()
      expect(letters).toMatchObject([{ queue: stage.queue, reason: 'The broker dropped it: delivery_limit' }])
    })
    const alpha = recorder()
    await stage.listenAlone(bus, alpha.handle)
    expect(await bus.requeue()).toBe(1)
    await eventually(() => expect(alpha.users()).toEqual(['ada']))
  })

  test('when another process takes a failed message, then its age counts from the first failure', async () => {
    const first = await stage.open({ delaysMs: [1_000] })
    await stage.listenAlone(first, failing())
    await first.publish(anEventForAlpha('ada'))
    await eventually(() => expect(first.retrying().size).toBe(1))
    const hasFailedAt = Date.now()
    await first.close()
    const second = await stage.open({ delaysMs: [1_000] })
    await stage.listenAlone(second, failing())
    await eventually(() =>
      expect(second.retrying().get(stage.queue)).toBeGreaterThanOrEqual((Date.now() - hasFailedAt) / 1000),
    )
  })

  test('when all queues are there, then a start that only checks declares none, and listens', async () => {
    const channels: Channel = Object.getPrototypeOf(Object.getPrototypeOf(await admin.createConfirmChannel()))
    const { assertQueue } = channels
    let declared: (string | undefined)[] = []
    channels.assertQueue = function (this: Channel, name?: string, ...rest) {
      declared.push(name)
      return assertQueue.call(this, name, ...rest)
    } as Channel['assertQueue']
    const first = await stage.open({ declares: false })
    // Nothing existed, so everything was created.
    expect(declared.length).toBeGreaterThan(2)
    await first.close()
    declared = []
    const second = await stage.open({ declares: false })
    const alpha = recorder()
    await stage.listenAlone(second, alpha.handle)
    await second.publish(anEventForAlpha('ada'))
    await eventually(() => expect(alpha.users()).toEqual(['ada']))
    expect(declared).toEqual([])
    // A deleted queue is created again.
    await channel.deleteQueue(stage.queue)
    await eventually(() => expect(second.health().ok).toBe(false))
    await eventually(() => expect(second.health().ok).toBe(true))
    expect(declared).toContain(stage.queue)
    channels.assertQueue = assertQueue
  })

  test('when a queue exists with other settings, then connecting is refused', async () => {
    await channel.assertQueue(stage.queue, { durable: true })
    await expect(stage.open()).rejects.toThrow('PRECONDITION_FAILED')
  })

  test('when the password is wrong, then connecting is refused at once', async () => {
    const url = new URL(broker.url)
    url.username = 'guest'
    url.password = 'wrong'
    const refused = connectRabbitBus({
      url: url.href,
      topology: stage.topology,
      log: pino({ level: 'silent' }),
    })
    await expect(refused).rejects.toThrow('ACCESS-REFUSED')
    await stage.open()
  })

  // Last, so that no other test meets a broker that has just started.
  ;(rabbitIsOurs ? test : test.skip)(
    'when the broker restarts, then waiting messages and those published meanwhile arrive, and one line says it is away',
    async () => {
      const lines: string[] = []
      const log = pino({ base: null }, { write: line => lines.push(JSON.parse(line).msg) })
      const bus = await stage.open({ delaysMs: [3_000], log })
      const alpha = recorder()
      const tried = new Set<string>()
      await stage.listenAlone(bus, async event => {
        const first = !tried.has(event.id)
        tried.add(event.id)
        if (first && userOf(event) === 'retried') throw new Error('Not yet')
        await alpha.handle(event)
      })
      await bus.publish(anEventForAlpha('retried'))
      await eventually(() => expect(tried.size).toBe(1))
      const restarted = broker.restart()
      await eventually(() => expect(bus.health().ok).toBe(false))
      await Promise.all([restarted, ...['ada', 'bob'].map(user => publishAgain(bus, anEventForAlpha(user)))])
      await eventually(() => expect(new Set(alpha.users())).toEqual(new Set(['ada', 'bob', 'retried'])))
      expect(await bus.deadLetters()).toEqual([])
      expect(lines.filter(line => line === 'Could not connect to RabbitMQ')).toHaveLength(1)
    },
  )
})

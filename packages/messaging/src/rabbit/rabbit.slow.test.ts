import type { Envelope } from '@voxscribe/contracts/events'
import type { Channel, ChannelModel } from 'amqplib'
import { connect } from 'amqplib'
import { pino } from 'pino'
import type { Bus, Subscription } from '../bus.ts'
import { eventually } from '../testing/eventually.ts'
import { anEventForAlpha, userOf } from '../testing/sample.ts'
import type { RabbitStage } from '../testing/transports.ts'
import { brokerForTests, rabbitIsHere, rabbitIsOurs, rabbitStage } from '../testing/transports.ts'
import { connectRabbitBus } from './rabbit.ts'

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
  afterAll(() => broker.stop(), 30_000)
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

  const queue = () => `${stage.alpha}.transcription-deleted`
  const listen = (bus: Bus, handle: Subscription['handle']) =>
    bus.subscribe({ service: stage.alpha, event: stage.topology.TranscriptionDeleted.event, handle })
  const recorder = () => {
    const users: string[] = []
    return { users, handle: async (event: Envelope) => void users.push(userOf(event)) }
  }

  test('when a consumer loses its connection before it acknowledged, then the message comes again', async () => {
    const bus = await stage.open()
    const { users, handle } = recorder()
    const gate = Promise.withResolvers<void>()
    await listen(bus, async event => {
      await handle(event)
      if (users.length === 1) await gate.promise
    })
    await bus.publish(anEventForAlpha('ada'))
    await eventually(() => expect(users).toEqual(['ada']))
    stage.proxy.cut()
    await eventually(() => expect(users).toEqual(['ada', 'ada']))
    // The first handling ends on a channel that is gone, which does no harm.
    gate.resolve()
    await bus.publish(anEventForAlpha('bob'))
    await eventually(() => expect(users).toEqual(['ada', 'ada', 'bob']))
    expect(await bus.deadLetters()).toEqual([])
  })

  test('when one process broadcasts, then all get it, also after their connections were lost', async () => {
    const [one, other] = [await stage.open(), await stage.open()]
    const heard: unknown[] = []
    await one.hear(stage.alpha, data => heard.push(['one', data]))
    await other.hear(stage.alpha, data => heard.push(['other', data]))
    one.tell(stage.alpha, 1)
    await eventually(() =>
      expect(heard.sort()).toEqual([
        ['one', 1],
        ['other', 1],
      ]),
    )
    stage.proxy.cut()
    // Broadcasts are lost meanwhile, so this one is repeated until it arrives.
    await eventually(() => {
      other.tell(stage.alpha, 2)
      expect(heard).toEqual(
        expect.arrayContaining([
          ['one', 2],
          ['other', 2],
        ]),
      )
    })
  })

  test('when the broker is away, then a publish waits for it and health reports it', async () => {
    const bus = await stage.open()
    const { users, handle } = recorder()
    await listen(bus, handle)
    expect(bus.health()).toEqual({ ok: true, detail: 'connected to RabbitMQ' })
    stage.proxy.goAway()
    await eventually(() => expect(bus.health()).toEqual({ ok: false, detail: 'not connected to RabbitMQ' }))
    const published = bus.publish(anEventForAlpha('ada'))
    stage.proxy.comeBack()
    await published
    await eventually(() => expect(users).toEqual(['ada']))
    await eventually(() => expect(bus.health().ok).toBe(true))
  })

  test('when the broker stays away, then a publish is refused in time and closing still ends', async () => {
    const bus = await stage.open({ publishWaitMs: 50 })
    stage.proxy.goAway()
    await expect(bus.publish(anEventForAlpha('ada'))).rejects.toThrow('did not confirm')
    await bus.close()
  })

  test('when the connection breaks in a burst, then every publish ends well and nothing is lost', async () => {
    const bus = await stage.open({ publishWaitMs: 25_000 })
    const { users, handle } = recorder()
    await listen(bus, handle)
    const sent = Array.from({ length: 400 }, (_, n) => `user-${n}`)
    const published = Promise.all(sent.map(user => bus.publish(anEventForAlpha(user))))
    await eventually(() => expect(users.length).toBeGreaterThan(20))
    stage.proxy.cut()
    await published
    await eventually(() => expect(new Set(users)).toEqual(new Set(sent)))
  })

  test('when the broker hangs, then listing dead letters fails in time and works again later', async () => {
    const bus = await stage.open({ answerWaitMs: 500 })
    stage.proxy.slow(3_000)
    await expect(bus.deadLetters()).rejects.toThrow('The broker did not answer in time')
    stage.proxy.slow(0)
    stage.proxy.cut()
    await eventually(async () => expect(await bus.deadLetters()).toEqual([]))
  })

  test('when a message is not JSON, then it is a dead letter at once, listed as text', async () => {
    const bus = await stage.open()
    const { users, handle } = recorder()
    await listen(bus, handle)
    channel.publish(stage.exchange, 'transcription-deleted.v1', Buffer.from('no json {'))
    await eventually(async () => expect(await bus.deadLetters()).toHaveLength(1))
    expect(await bus.deadLetters()).toMatchObject([
      {
        id: '',
        queue: queue(),
        message: 'no json {',
        attempts: 1,
        reason: expect.stringMatching(/^Invalid message/),
      },
    ])
    expect(users).toEqual([])
  })

  test('when the broker cancels a consumer, then it makes its queue again and goes on', async () => {
    const bus = await stage.open()
    const { users, handle } = recorder()
    await listen(bus, handle)
    await channel.deleteQueue(queue())
    await eventually(() => expect(bus.health()).toEqual({ ok: false, detail: `not consuming ${queue()}` }))
    await eventually(() => expect(bus.health().ok).toBe(true))
    await bus.publish(anEventForAlpha('ada'))
    await eventually(() => expect(users).toEqual(['ada']))
  })

  test('when no queue takes an event, then publishing it is refused', async () => {
    const bus = await stage.open()
    await channel.unbindQueue(queue(), stage.exchange, 'transcription-deleted.v1')
    await expect(bus.publish(anEventForAlpha('ada'))).rejects.toThrow('No queue takes')
  })

  test('when a message kills its consumer too often, then it is listed as a dead letter', async () => {
    const bus = await stage.open()
    await bus.publish(anEventForAlpha('ada'))
    for (let deliveries = 0; deliveries <= 100; deliveries++) {
      await eventually(async () => {
        const message = await channel.get(queue())
        if (!message) throw new Error('The message is not back yet')
        channel.nack(message, false, true)
      })
    }
    await eventually(async () => {
      const letters = await bus.deadLetters()
      expect(letters).toMatchObject([{ queue: queue(), reason: 'The broker dropped it: delivery_limit' }])
    })
    const { users, handle } = recorder()
    await listen(bus, handle)
    expect(await bus.requeue()).toBe(1)
    await eventually(() => expect(users).toEqual(['ada']))
  })

  test('when another process takes a failed message, then its age counts from the first failure', async () => {
    const fail = async () => {
      throw new Error('Not yet')
    }
    const first = await stage.open({ delaysMs: [1_000] })
    await listen(first, fail)
    await first.publish(anEventForAlpha('ada'))
    await eventually(() => expect(first.retrying().size).toBe(1))
    await first.close()
    const second = await stage.open({ delaysMs: [1_000] })
    await listen(second, fail)
    expect(second.retrying().size).toBe(0)
    await eventually(() => expect(second.retrying().get(queue())).toBeGreaterThan(0.9))
  })

  test('when a queue exists with other settings, then connecting is refused', async () => {
    await channel.assertQueue(queue(), { durable: true })
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

  // Last, so that no other test meets a broker that has just begun.
  ;(rabbitIsOurs ? test : test.skip)(
    'when the broker restarts, then waiting messages and those published meanwhile arrive',
    async () => {
      const bus = await stage.open({ publishWaitMs: 50_000, delaysMs: [3_000] })
      const { users, handle } = recorder()
      const tried = new Set<string>()
      await listen(bus, async event => {
        const first = !tried.has(event.id)
        tried.add(event.id)
        if (first && userOf(event) === 'retried') throw new Error('Not yet')
        await handle(event)
      })
      await bus.publish(anEventForAlpha('retried'))
      await eventually(() => expect(tried.size).toBe(1))
      const restarted = broker.restart()
      await eventually(() => expect(bus.health().ok).toBe(false))
      await Promise.all([restarted, ...['ada', 'bob'].map(user => bus.publish(anEventForAlpha(user)))])
      await eventually(() => expect(new Set(users)).toEqual(new Set(['ada', 'bob', 'retried'])))
      expect(await bus.deadLetters()).toEqual([])
    },
    90_000,
  )
})

import type { BusObserver } from './bus.ts'
import { Later, LaterEachTime, Permanent } from './bus.ts'
import { eventually } from './testing/eventually.ts'
import { anEvent, anEventForAlpha, failing, recorder, relayOf, userOf } from './testing/sample.ts'
import type { Stage } from './testing/transports.ts'
import {
  brokerForTests,
  inProcessStage,
  rabbitIsHere,
  rabbitStage,
  SHORT_DELAYS_MS,
} from './testing/transports.ts'

type Handled = Parameters<BusObserver['handled']>[0]

const transports = [
  {
    transport: 'in-process',
    here: true,
    prepare: async () => ({ stage: async () => inProcessStage(), end: async () => {} }),
  },
  {
    transport: 'RabbitMQ',
    here: rabbitIsHere,
    prepare: async () => {
      const broker = await brokerForTests()
      return { stage: (): Promise<Stage> => rabbitStage(broker.url), end: broker.stop }
    },
  },
]

for (const { transport, here, prepare } of transports) {
  const title = here
    ? `the bus, ${transport}`
    : `the bus, ${transport} (skipped: install rabbitmq-server or set RABBITMQ_URL)`
  ;(here ? describe : describe.skip)(title, () => {
    let ready: { stage(): Promise<Stage>; end(): Promise<void> }
    let stage: Stage
    beforeAll(async () => {
      ready = await prepare()
    })
    afterAll(() => ready.end())
    beforeEach(async () => {
      stage = await ready.stage()
    })
    afterEach(() => stage.clear())

    test('when an event has several receivers, then each gets what the schema knows, as it was sent', async () => {
      const bus = await stage.open()
      const [alpha, beta] = [recorder(), recorder()]
      await stage.listen(bus, stage.alpha, async event => {
        await alpha.handle(structuredClone(event))
        Object.assign(event.data as object, { userId: 'changed' })
      })
      await stage.listen(bus, stage.beta, beta.handle)
      const event = anEvent('ada')
      await bus.publish({ ...event, data: { ...(event.data as object), surprise: true } })
      await eventually(() => expect([alpha.seen, beta.seen]).toEqual([[event], [event]]))
    })

    test('when data is broadcast to a topic, then each of its listeners gets it once, even if one fails', async () => {
      const bus = await stage.open()
      const [heard, other]: [unknown[], unknown[]] = [[], []]
      await bus.onBroadcast(stage.alpha, data => {
        heard.push({ ...(data as object) })
        Object.assign(data as object, { note: 2 })
        throw new Error('deaf')
      })
      await bus.onBroadcast(stage.alpha, data => heard.push(data))
      await bus.onBroadcast(stage.beta, data => other.push(data))
      bus.broadcast(stage.alpha, { note: 1 })
      bus.broadcast(stage.beta, 'end')
      await eventually(() => expect([heard, other]).toEqual([[{ note: 1 }, { note: 1 }], ['end']]))
    })

    test('when a listener has ended, then it gets nothing more, the others do, and a new one does', async () => {
      const bus = await stage.open()
      const heard: unknown[] = []
      const listen = (name: string) => bus.onBroadcast(stage.alpha, data => heard.push([name, data]))
      const [first, second] = [await listen('first'), await listen('second')]
      first()
      first()
      bus.broadcast(stage.alpha, 1)
      await eventually(() => expect(heard).toEqual([['second', 1]]))
      second()
      bus.broadcast(stage.alpha, 2)
      await listen('third')
      bus.broadcast(stage.alpha, 3)
      await eventually(() => expect(heard.at(-1)).toEqual(['third', 3]))
      expect(heard).not.toContainEqual(['second', 2])
    })

    test('when there is no listener, or the bus is closed, then a broadcast does no harm', async () => {
      const bus = await stage.open()
      bus.broadcast(stage.alpha, 'nobody')
      await bus.close()
      bus.broadcast(stage.alpha, 'late')
      expect(bus.health().ok).toBe(false)
    })

    test('when a handler fails, then its message returns after each delay, the last of which repeats', async () => {
      const handled: Handled[] = []
      const bus = await stage.open({ observer: { handled: m => handled.push(m) } })
      const expected = [...SHORT_DELAYS_MS, SHORT_DELAYS_MS.at(-1)!, SHORT_DELAYS_MS.at(-1)!]
      const times: number[] = []
      const ages: (number | undefined)[] = []
      await stage.listenAlone(bus, async () => {
        times.push(performance.now())
        ages.push(bus.retrying().get(stage.queue))
        if (times.length <= expected.length) throw new Error('Not yet')
      })
      await bus.publish(anEventForAlpha('ada'))
      await eventually(() => expect(handled).toHaveLength(expected.length + 1))
      const waits = times.slice(1).map((time, n) => time - times[n]!)
      // A timer may fire a millisecond early.
      for (const [n, wait] of waits.entries()) expect(wait).toBeGreaterThan(expected[n]! - 2)
      // A message may return before its last failure is reported.
      expect(handled.map(({ outcome }) => outcome).sort()).toEqual(['done', ...expected.map(() => 'retried')])
      expect(handled[0]).toMatchObject({ queue: stage.queue })
      expect(await bus.deadLetters()).toEqual([])
      expect(ages[0]).toBeUndefined()
      // The first failure was reported before the message returned.
      expect(ages.at(-1)).toBeGreaterThan((times.at(-1)! - times[1]!) / 1000 - 0.1)
      expect(bus.retrying().size).toBe(0)
    })

    test.each([
      ['be tried again', new Error('Not yet')],
      ['come later', new Later('The provider is busy', 60_000)],
    ])('when a message waits to %s, then those behind it are handled meanwhile', async (_what, error) => {
      const bus = await stage.open({ delaysMs: [60_000] })
      const alpha = recorder()
      await stage.listenAlone(
        bus,
        async event => {
          if (userOf(event) === 'bad') throw error
          await alpha.handle(event)
        },
        { concurrency: 1 },
      )
      const stuck = bus.publish(anEventForAlpha('bad')).catch(() => {})
      await bus.publish(anEventForAlpha('good'))
      await eventually(() => expect(alpha.users()).toEqual(['good']))
      await bus.close()
      await stuck
    })

    test('when a handler fails until its message expires, then it is a dead letter with its reason', async () => {
      // The last wait would end after the message has expired, because of the time that the others took.
      const waits = { delaysMs: [...SHORT_DELAYS_MS, 59_900], deadLetterTtlMs: 60_000 }
      const bus = await stage.open(waits)
      const [alpha, beta] = [recorder(), recorder()]
      await stage.listen(bus, stage.alpha, async event => {
        await alpha.handle(event)
        throw new Error('The disk is full')
      })
      await stage.listen(bus, stage.beta, beta.handle)
      const event = anEvent('ada')
      await bus.publish(event)
      const [letter] = await eventually(async () => {
        const letters = await bus.deadLetters()
        expect(letters).toHaveLength(1)
        return letters
      })
      expect(letter).toEqual({
        id: event.id,
        queue: `${stage.alpha}.media-expired`,
        reason: 'The disk is full',
        attempts: waits.delaysMs.length,
        at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
        message: event,
      })
      expect(alpha.seen).toHaveLength(waits.delaysMs.length)
      expect(beta.seen).toHaveLength(1)
    })

    test('when a handler asks for later each time, then it waits for each delay in turn, which is no failure', async () => {
      const handled: Handled[] = []
      const bus = await stage.open({ observer: { handled: m => handled.push(m) } })
      const times: number[] = []
      const ages: number[] = []
      await stage.listenAlone(bus, async () => {
        times.push(performance.now())
        ages.push(bus.retrying().size)
        if (times.length <= SHORT_DELAYS_MS.length) throw new LaterEachTime('The provider is away')
      })
      await bus.publish(anEventForAlpha('ada'))
      await eventually(() => expect(handled).toHaveLength(SHORT_DELAYS_MS.length + 1))
      const waits = times.slice(1).map((time, n) => time - times[n]!)
      // A timer may fire a millisecond early.
      for (const [n, wait] of waits.entries()) expect(wait).toBeGreaterThan(SHORT_DELAYS_MS[n]! - 2)
      expect(handled.map(({ outcome }) => outcome).sort()).toEqual([
        'done',
        ...SHORT_DELAYS_MS.map(() => 'postponed'),
      ])
      expect(new Set(ages)).toEqual(new Set([0]))
    })

    test('when a handler asks for later, then the message comes again, which counts as no failure', async () => {
      const handled: Handled[] = []
      const bus = await stage.open({ observer: { handled: m => handled.push(m) } })
      let times = 0
      await stage.listenAlone(bus, async () => {
        times += 1
        if (times === 1) throw new Error('Not yet')
        if (times < 8) throw new Later('The provider is busy', times % 2 ? 1 : undefined)
        throw new Permanent('No such note')
      })
      await bus.publish(anEventForAlpha('ada'))
      await eventually(async () => expect(await bus.deadLetters()).toMatchObject([{ attempts: 2 }]))
      await eventually(() => expect(handled).toHaveLength(8))
      expect(handled.map(({ outcome }) => outcome).sort()).toEqual([
        'dead',
        ...Array.from({ length: 6 }, () => 'postponed'),
        'retried',
      ])
    })

    test('when a handler names a time, then the message does not come before it', async () => {
      const bus = await stage.open({ delaysMs: [20, 400] })
      const times: number[] = []
      await stage.listenAlone(bus, async () => {
        times.push(performance.now())
        if (times.length === 1) throw new Later('The provider is busy', 300)
      })
      await bus.publish(anEventForAlpha('ada'))
      await eventually(() => expect(times).toHaveLength(2))
      // A timer may fire a millisecond early.
      expect(times[1]! - times[0]!).toBeGreaterThan(298)
    })

    test('when the bus closes under a handler time after time, then that counts as no failure', async () => {
      const relayTo = relayOf(anEventForAlpha('ada'))
      const options = { delaysMs: [50] }
      const outcomes: string[] = []
      const observer: BusObserver = { handled: ({ outcome }) => outcomes.push(outcome) }
      for (let deployment = 1; deployment <= 5; deployment += 1) {
        const bus = await stage.open({ ...options, observer })
        const begun = Promise.withResolvers<void>()
        await stage.listenAlone(bus, async () => {
          begun.resolve()
          await new Promise(resolve => bus.closing.addEventListener('abort', resolve))
          throw new Error('The engine was stopped')
        })
        const relay = relayTo(bus)
        await begun.promise
        await bus.close()
        await relay.stop()
      }
      expect(outcomes).toEqual(Array.from({ length: 5 }, () => 'postponed'))

      const last = await stage.open({ ...options, observer })
      await stage.listenAlone(last, failing(new Permanent('That will do')))
      const relay = relayTo(last)
      await eventually(async () => expect(await last.deadLetters()).toMatchObject([{ attempts: 1 }]))
      await relay.stop()
    })

    test('when a message does not fit its schema, then it is a dead letter; the next one is handled', async () => {
      const { bus, alpha } = await stage.openAlone()
      const poison = { ...anEventForAlpha('ada'), data: { userId: 7 } }
      await bus.publish(poison)
      await bus.publish(anEventForAlpha('bob'))
      await eventually(() => expect(alpha.users()).toEqual(['bob']))
      await eventually(async () => expect(await bus.deadLetters()).toHaveLength(1))
      const [letter] = await bus.deadLetters()
      expect(letter).toMatchObject({ id: poison.id, attempts: 1, message: poison })
      expect(letter!.reason).toMatch(/^Invalid message: .*userId/s)
    })

    test('when one receiver is slow, then the other one is served meanwhile', async () => {
      const bus = await stage.open()
      const gate = Promise.withResolvers<void>()
      const beta = recorder()
      await stage.listen(bus, stage.alpha, () => gate.promise, { concurrency: 1 })
      await stage.listen(bus, stage.beta, beta.handle, { concurrency: 1 })
      const users = Array.from({ length: 20 }, (_, n) => `user-${n}`)
      const published = Promise.all(users.map(user => bus.publish(anEvent(user))))
      await eventually(() => expect(beta.users()).toEqual(users))
      gate.resolve()
      await published
    })

    test('when many messages wait, then as many as allowed are handled at once and no more', async () => {
      const bus = await stage.open()
      let now = 0
      let most = 0
      let done = 0
      const enough = Promise.withResolvers<void>()
      await stage.listenAlone(
        bus,
        async () => {
          now += 1
          most = Math.max(most, now)
          if (now === 3) enough.resolve()
          await enough.promise
          await new Promise(resolve => setTimeout(resolve, 1))
          now -= 1
          done += 1
        },
        { concurrency: 3 },
      )
      await Promise.all(Array.from({ length: 30 }, (_, n) => bus.publish(anEventForAlpha(`user-${n}`))))
      await eventually(() => expect(done).toBe(30))
      expect(most).toBe(3)
    })

    test('when an event is published before its receivers exist, then each gets it once it is there', async () => {
      const bus = await stage.open()
      const [alpha, beta] = [recorder(), recorder()]
      const event = anEvent('ada')
      const published = bus.publish(event)
      await stage.listen(bus, stage.alpha, alpha.handle)
      await stage.listen(bus, stage.beta, beta.handle)
      await published
      await eventually(() => expect([alpha.seen, beta.seen]).toEqual([[event], [event]]))
    })

    test('when the bus is closed, then what is being handled ends first and nothing more is taken', async () => {
      const bus = await stage.open()
      const gate = Promise.withResolvers<void>()
      const [begun, ended] = [recorder(), recorder()]
      await stage.listenAlone(
        bus,
        async event => {
          await begun.handle(event)
          await gate.promise
          await ended.handle(event)
        },
        { concurrency: 1 },
      )
      const published = Promise.allSettled(['ada', 'bob'].map(user => bus.publish(anEventForAlpha(user))))
      await eventually(() => expect(begun.users()).toEqual(['ada']))
      let closed = false
      const closing = bus.close().then(() => {
        closed = true
      })
      await expect(bus.publish(anEventForAlpha('eve'))).rejects.toThrow('closed')
      expect(closed).toBe(false)
      gate.resolve()
      await closing
      await bus.close()
      await published
      expect([begun.users(), ended.users()]).toEqual([['ada'], ['ada']])
      expect(bus.health().ok).toBe(false)
    })

    test('when dead letters are put back, then they are handled as if new', async () => {
      const bus = await stage.open()
      const alpha = recorder()
      let error: Error | undefined = new Permanent('Broken')
      await stage.listenAlone(bus, async event => {
        if (error) throw error
        await alpha.handle(event)
      })
      const events = ['ada', 'bob'].map(anEventForAlpha)
      for (const event of events) await bus.publish(event)
      await eventually(async () => expect(await bus.deadLetters(stage.queue)).toHaveLength(2))
      // Listing dead letters does not remove them.
      expect(await bus.deadLetters()).toHaveLength(2)
      expect(await bus.deadLetters(`${stage.alpha}.media-expired`)).toEqual([])
      expect(await bus.requeue(`${stage.alpha}.media-expired`)).toBe(0)
      error = undefined
      expect(await bus.requeue()).toBe(2)
      await eventually(() => expect(new Set(alpha.users())).toEqual(new Set(['ada', 'bob'])))
      await eventually(async () => expect(await bus.deadLetters()).toEqual([]))
      expect(alpha.seen).toHaveLength(2)
    })

    test('when dead letters about somebody are dropped, then only theirs go, and only those of that service', async () => {
      const bus = await stage.open()
      await stage.listenAlone(bus, failing(new Permanent('Broken')))
      for (const user of ['ada', 'bob', 'ada']) await bus.publish(anEventForAlpha(user))
      await eventually(async () => expect(await bus.deadLetters()).toHaveLength(3))
      const isAdas = (message: unknown) => JSON.stringify(message).includes('"ada"')
      await bus.dropDeadLetters('nobody', isAdas)
      expect(await bus.deadLetters()).toHaveLength(3)
      await bus.dropDeadLetters(stage.alpha, isAdas)
      await eventually(async () =>
        expect((await bus.deadLetters()).map(({ message }) => userOf(message as never))).toEqual(['bob']),
      )
    })

    test('when the time of a dead letter is over, then it is forgotten', async () => {
      const handled: Handled[] = []
      const observer = { handled: (m: Handled) => handled.push(m) }
      const bus = await stage.open({ deadLetterTtlMs: 1_500, observer })
      await stage.listenAlone(bus, failing(new Permanent('Broken')))
      await bus.publish(anEventForAlpha('ada'))
      await eventually(() => expect(handled).toMatchObject([{ outcome: 'dead' }]))
      await eventually(async () => expect(await bus.deadLetters()).toEqual([]))
      expect(await bus.requeue()).toBe(0)
    })

    test('when a handler throws Permanent, then it is a dead letter at once; put back, it counts from 0', async () => {
      const bus = await stage.open()
      const alpha = recorder()
      await stage.listenAlone(bus, async event => {
        await alpha.handle(event)
        throw alpha.seen.length % 3 === 1 ? new Permanent('No such note') : new Error('Still broken')
      })
      await bus.publish(anEventForAlpha('ada'))
      await eventually(async () => {
        expect(await bus.deadLetters()).toMatchObject([{ reason: 'No such note', attempts: 1 }])
      })
      expect(alpha.seen).toHaveLength(1)
      expect(await bus.requeue()).toBe(1)
      await eventually(() => expect(alpha.seen).toHaveLength(4))
      await eventually(async () => expect(await bus.deadLetters()).toMatchObject([{ attempts: 3 }]))
    })

    test('when an event or a subscription is not in the topology, or repeated, then it is refused', async () => {
      const bus = await stage.open()
      const unknown = { ...anEvent('ada'), type: 'never-heard-of' }
      await expect(bus.publish(unknown)).rejects.toThrow('No one receives')
      const { handle } = recorder()
      await expect(stage.listen(bus, 'stranger', handle)).rejects.toThrow('does not send')
      await stage.listenAlone(bus, handle)
      await expect(stage.listenAlone(bus, handle)).rejects.toThrow('already')
      expect(bus.health().ok).toBe(true)
    })
  })
}

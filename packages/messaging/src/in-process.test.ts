import { randomUUID } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Envelope } from '@voxscribe/contracts/events'
import { pino } from 'pino'
import { Permanent } from './bus.ts'
import { openDeadLetters } from './dead-letter-file.ts'
import { eventually } from './testing/eventually.ts'
import { anEvent, anEventForAlpha, failing, userOf } from './testing/sample.ts'
import type { Stage, StageOptions } from './testing/transports.ts'
import { inProcessStage } from './testing/transports.ts'

let stage: Stage
const folder = mkdtempSync(join(tmpdir(), 'bus-'))
afterAll(() => rmSync(folder, { recursive: true }))
beforeEach(() => {
  stage = inProcessStage()
})
afterEach(() => stage.clear())

const deadLetterFile = () => join(folder, randomUUID(), 'dead.jsonl')
/** Closes a bus that has left one dead letter in its file. */
async function withDeadLetter(options: StageOptions & { deadLetterFile: string }) {
  const bus = await stage.open(options)
  await stage.listenAlone(bus, failing(new Permanent('Broken')))
  const event = anEventForAlpha('ada')
  await bus.publish(event)
  await bus.close()
  return event
}

test('when the time of a dead letter is over at the next start, then its file holds it no longer', async () => {
  const file = deadLetterFile()
  const event = await withDeadLetter({ deadLetterFile: file })
  expect(readFileSync(file, 'utf8')).toContain(event.id)
  await stage.open({ deadLetterFile: file, deadLetterTtlMs: 0 })
  await eventually(() => expect(readFileSync(file, 'utf8')).toBe(''))
})

test('when one receiver is not done, then publish has not resolved', async () => {
  const bus = await stage.open()
  const gate = Promise.withResolvers<void>()
  let [alphaDone, published] = [false, false]
  await stage.listen(bus, stage.alpha, async () => {
    alphaDone = true
  })
  await stage.listen(bus, stage.beta, () => gate.promise)
  const publishing = bus.publish(anEvent('ada')).then(() => {
    published = true
  })
  await eventually(() => expect(alphaDone).toBe(true))
  await new Promise(setImmediate)
  expect(published).toBe(false)
  gate.resolve()
  await publishing
})

test('when a receiver does not subscribe in time, then publish rejects and no receiver got it', async () => {
  const bus = await stage.open({ publishWaitMs: 20 })
  const seen: string[] = []
  await stage.listen(bus, stage.alpha, async event => void seen.push(userOf(event)))
  await expect(bus.publish(anEvent('ada'))).rejects.toThrow(`Not subscribed yet: ${stage.beta}.media-expired`)
  expect(seen).toEqual([])
})

test('when the bus is closed while a publish waits for its receivers, then it rejects', async () => {
  const bus = await stage.open()
  const published = expect(bus.publish(anEvent('ada'))).rejects.toThrow('Not subscribed yet')
  await bus.close()
  await published
})

test('when the bus is closed while a message waits to be tried again, then publish rejects', async () => {
  const bus = await stage.open({ delaysMs: [60_000] })
  const failed = Promise.withResolvers<void>()
  await stage.listenAlone(bus, async () => {
    setImmediate(failed.resolve)
    throw new Error('Not yet')
  })
  const published = expect(bus.publish(anEventForAlpha('ada'))).rejects.toThrow('The bus closed before')
  await failed.promise
  await bus.close()
  await published
})

test('when the process starts again, then dead letters are still there and can be put back', async () => {
  const options = { deadLetterFile: deadLetterFile() }
  const event = await withDeadLetter(options)
  const bus = await stage.open(options)
  expect(await bus.deadLetters()).toMatchObject([{ id: event.id, reason: 'Broken', message: event }])
  // There is no subscriber yet.
  expect(await bus.requeue()).toBe(0)
  const seen: Envelope[] = []
  await stage.listenAlone(bus, async again => void seen.push(again))
  expect(await bus.requeue()).toBe(1)
  await eventually(() => expect(readFileSync(options.deadLetterFile, 'utf8')).toBe(''))
  expect(seen).toEqual([event])
})

test('when the process ends while a dead letter is handled again, then the letter is kept', async () => {
  const options = { deadLetterFile: deadLetterFile(), delaysMs: [60_000] }
  const event = await withDeadLetter(options)
  const bus = await stage.open(options)
  await stage.listenAlone(bus, failing())
  expect(await bus.requeue()).toBe(1)
  expect(await bus.deadLetters()).toEqual([])
  await bus.close()
  expect(await (await stage.open(options)).deadLetters()).toMatchObject([{ id: event.id }])
})

test('when dead letters are dropped while another one comes, then that one is in the file once', async () => {
  const file = deadLetterFile()
  await withDeadLetter({ deadLetterFile: file })
  const letters = openDeadLetters({ file, log: pino({ level: 'silent' }), isOver: () => false })
  const next = { ...letters.all()[0]!, id: 'next' }
  await Promise.all([letters.drop(({ id }) => id !== 'next'), letters.add(next)])
  expect(readFileSync(file, 'utf8')).toBe(`${JSON.stringify(next)}\n`)
})

test('when a crash truncated the last dead letter, then the others are read and new ones follow', async () => {
  const options = { deadLetterFile: deadLetterFile() }
  await withDeadLetter(options)
  const text = readFileSync(options.deadLetterFile, 'utf8')
  writeFileSync(options.deadLetterFile, text + text.slice(0, 30))
  await withDeadLetter(options)
  expect(await (await stage.open(options)).deadLetters()).toHaveLength(2)
})

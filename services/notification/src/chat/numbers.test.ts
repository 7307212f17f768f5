import { api } from '@voxscribe/contracts/http'
import { eventually } from '@voxscribe/service/testing'
import axios from 'axios'
import { completed, newAccount, newSource, startNotification } from '../testing.ts'

const FIRST = '106540352242922'
const SECOND = '106540352242923'

/** The number's people are counted again after this time. */
const KEPT_MS = 10_000
const inTime = setTimeout

let app: Awaited<ReturnType<typeof startNotification>>
beforeAll(async () => {
  const hurried = (run: () => void, ms?: number, ...more: []) =>
    inTime(run, ms === KEPT_MS ? 20 : ms, ...more)
  jest.spyOn(globalThis, 'setTimeout').mockImplementation(hurried as never)
  app = await startNotification({
    WHATSAPP_PHONE_NUMBER_IDS: `${FIRST}, ${SECOND}`,
    WHATSAPP_MESSAGES_PER_SECOND: '10',
  })
})
afterAll(async () => {
  await app.stop()
  jest.restoreAllMocks()
})

/** Ids of our numbers that sent something to an address, in order. */
const numbersTo = (address: string) => app.sentTo(address).map(({ path }) => path.split('/')[2])

const onOffer = async () => (await axios.get(`${app.url}/internal/number`)).data.data.number

test('when a note was sent to the second number, then its answer, file and mark of reading go out from there', async () => {
  const { userId } = await app.register()
  const source = newSource({ numberId: SECOND })
  const text = 'Hello world. '.repeat(400)
  await app.publish(completed(source, { userId, text }))
  await app.texts(source.address)
  expect(numbersTo(source.address)).toEqual([SECOND])
  const uploads = app.sandbox.calls.filter(({ path }) => path.endsWith('/media'))
  expect(uploads.map(({ path }) => path.split('/')[2])).toEqual([SECOND])
})

test('when a source names no number, or one that is ours no more, then the first one answers', async () => {
  const { userId } = await app.register()
  for (const more of [{}, { numberId: '999' }]) {
    const source = newSource(more)
    await app.publish(completed(source, { userId }))
    await app.texts(source.address)
    expect(numbersTo(source.address)).toEqual([FIRST])
  }
})

test('when more people write to one number, then new people are sent to the other', async () => {
  expect(api.numberOnOffer.access).toBe('internal')
  const accounts = await Promise.all([newAccount(), newAccount()].map(account => app.register(account)))
  for (const { userId } of accounts) await app.publish(completed(newSource({ numberId: FIRST }), { userId }))
  await eventually(async () => (await onOffer()) === '15550783882')
  for (const { userId } of await Promise.all([0, 1, 2].map(() => app.register())))
    await app.publish(completed(newSource({ numberId: SECOND }), { userId }))
  await eventually(async () => (await onOffer()) === '15550783881')
})

test('when many messages are due at once, then no number sends more than its limit a second', async () => {
  const { userId } = await app.register()
  const sources = Array.from({ length: 6 }, () => newSource({ numberId: SECOND }))
  const since = performance.now()
  await Promise.all(sources.map(source => app.publish(completed(source, { userId }))))
  await Promise.all(sources.map(({ address }) => app.texts(address)))
  expect(performance.now() - since).toBeGreaterThan(495)
})

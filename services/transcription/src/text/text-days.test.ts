import { SubscriptionChanged } from '@voxscribe/contracts/events'
import { type Asked, deskWithTextModel, type Note, says } from '../testing/text-model-fake.ts'
import { createTextDays } from './text-days.ts'

const GIST = { lines: ['Somebody says hello.'], tasks: [] }

/** Characters that a call sends. */
const sentBy = ({ messages }: Asked) => messages.reduce((sum, { content }) => sum + content.length, 0)

const { fake, desk, complete } = await deskWithTextModel({
  TEXT_CHARS_PER_DAY: '3000/1000000',
  TEXT_TIMEOUT: '3s',
  RATE_LIMITS: 'off',
})
const LANGUAGES = ['en', 'de', 'es', 'fr', 'it', 'pt', 'tr', 'hi', 'id']
/** Asks for gists in one language after another, and returns the first answer that is none. */
async function untilFull({ id, userId }: Note) {
  for (const language of LANGUAGES) {
    const headers = { 'accept-language': language }
    const answer = await desk.call('POST', `/transcriptions/${id}/gist`, userId, { headers })
    if (answer.status !== 200) return answer
  }
  return undefined
}
const change = (userId: string, change: 'started' | 'ended', occurredAt: string) =>
  desk.bus.publish({
    ...SubscriptionChanged.create({ userId, change, periodEnd: '2027-01-01T00:00:00Z' }),
    occurredAt,
  })

/** Another note of the same person. */
const another = async ({ userId }: Note) => ({ ...(await complete({ userId })), userId })

test('when they are used up, then it is 429 until midnight, and more with the paid plan', async () => {
  fake.answers(says(GIST))
  const note = await complete()
  const full = await untilFull(note)
  expect([full?.status, full?.body.code]).toEqual([429, 'text_day_is_full'])
  const left = Number(full?.headers.get('retry-after'))
  const midnight = 86_400 - ((Date.now() / 1000) % 86_400)
  expect(Math.abs(left - midnight)).toBeLessThan(60)
  const received = JSON.stringify(GIST).length
  const used = fake.asked.reduce((sum, asked) => sum + sentBy(asked) + received, 0)
  expect(used).toBeLessThanOrEqual(3000 + received)
  expect(used + sentBy(fake.asked[0]!)).toBeGreaterThan(3000)

  await change(note.userId, 'started', '2026-11-20T10:00:00.000Z')
  expect(await untilFull(note)).toBeUndefined()
  await change(note.userId, 'ended', '2026-11-19T10:00:00.000Z')
  fake.answers(says('no'))
  expect((await untilFull(await another(note)))?.status).toBe(502)
  await change(note.userId, 'ended', '2026-11-21T10:00:00.000Z')
  expect((await untilFull(await another(note)))?.status).toBe(429)
})

test.each([
  ['answers with what is no gist', says('Certainly!')],
  ['does not answer in time', 'never' as const],
])('when the model %s, then its characters count', async (_how, answer) => {
  const note = await complete()
  fake.answers(answer)
  let calls = 0
  for (;;) {
    const refused = await untilFull(note)
    if (refused?.status === 429) break
    calls = fake.asked.length
    expect(refused?.status).toBe(502)
  }
  expect(calls * sentBy(fake.asked[0]!)).toBeLessThanOrEqual(3000)
  expect(calls).toBeGreaterThan(1)
})

test('when the provider answers with an error, then nothing counts', async () => {
  const note = await complete()
  fake.answers({ status: 500, body: { error: { message: 'down' } } })
  for (let tries = 0; tries < 6; tries++) expect((await untilFull(note))?.status).toBe(503)
  fake.answers(says(GIST))
  expect((await untilFull(note))?.status).toBe(429)
  expect(fake.asked.length).toBeGreaterThan(1)
})

test('when a day begins in UTC, then all its characters are there again', async () => {
  let at = new Date('2026-11-25T23:59:00Z')
  const used = new Map<string, number>()
  const rateLimits = (_: string, { points }: { points: number }) => ({
    count: async (key: string, amount: number) => {
      used.set(key, (used.get(key) ?? 0) + amount)
      if ((used.get(key) ?? 0) > points) throw new Error('full')
    },
    giveBack: async (key: string, amount: number) => void used.set(key, (used.get(key) ?? 0) - amount),
  })
  const documents = { model: () => ({ findById: () => ({ lean: async () => null }) }) }
  const settings = { TEXT_CHARS_PER_DAY: { free: 10, paid: 20 } }
  const given = { documents, rateLimits, settings, now: () => at }
  const take = createTextDays(given as never).of('u1')
  await (await take(6))(9)
  await expect(take(2)).rejects.toThrow('full')
  at = new Date('2026-11-26T00:00:00Z')
  await take(10)
  expect([...used]).toEqual([
    ['u1 2026-11-25', 11],
    ['u1 2026-11-26', 10],
  ])
})

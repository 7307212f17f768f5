import { eventually } from './testing/eventually.ts'
import { startFlood } from './testing/flood.ts'

/** More at once than any machine takes in within the time of one. */
const FLOOD = 1_500

let flood: Awaited<ReturnType<typeof startFlood>>
beforeAll(async () => {
  flood = await startFlood()
})
afterAll(() => flood?.stop())

test('when far more comes than can be done, then some is refused in time, and all that was taken in is done', async () => {
  const answers = await Promise.all(Array.from({ length: FLOOD }, flood.send))
  const taken = answers.filter(({ status }) => status === 200)
  const refused = answers.filter(({ status, comesAgain }) => status === 503 && comesAgain)
  expect(taken.length).toBeGreaterThan(0)
  expect(refused.length).toBeGreaterThan(0)
  expect(taken.length + refused.length).toBe(FLOOD)
  await eventually('everybody who was taken in is answered', 90_000, async () => {
    const done = flood.answered()
    const missing = taken.filter(({ from }) => !done.has(from))
    if (missing.length) throw new Error(`${missing.length} of ${taken.length} are not`)
  })
  expect((await flood.send()).status).toBe(200)
})
